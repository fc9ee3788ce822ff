//! The page around the figures: its skeleton, tables and style. One file, no network, readable without scripts.

use super::chart::escape;

const STYLE: &str = concat!(include_str!("chart.css"), include_str!("page.css"));
const SCRIPT: &str = include_str!("page.js");

/// A whole page.
pub fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        escape(title)
    )
}

/// A part of the page with a heading that can be linked to.
pub fn section(id: &str, title: &str, body: &str) -> String {
    format!("<section id=\"{}\">\n<h2>{}</h2>\n{body}</section>\n", escape(id), escape(title))
}

/// A figure of one or more drawings with the sentence that says what they show.
pub fn figure(drawings: &[&str], sentence: &str, files: &[&str]) -> String {
    let links: Vec<String> =
        files.iter().map(|file| format!("<a href=\"figures/{0}.svg\">{0}.svg</a>", escape(file))).collect();
    let links =
        if links.is_empty() { String::new() } else { format!(" <span class=\"links\">{}</span>", links.join(" ")) };
    format!(
        "<figure>\n<div class=\"panels\">\n{}\n</div>\n<figcaption>{sentence}{links}</figcaption>\n</figure>\n",
        drawings.join("\n")
    )
}

/// A table. Cells are HTML; those of a column that holds numbers are aligned right and sorted by value.
pub struct PageTable {
    head: Vec<(String, bool)>,
    rows: Vec<(String, Vec<String>)>,
}

impl PageTable {
    /// A table with these columns; `true` for numbers.
    pub fn new(head: &[(&str, bool)]) -> Self {
        PageTable { head: head.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect(), rows: Vec::new() }
    }

    /// A row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.tagged(String::new(), cells);
    }

    /// A row with attributes that filters look at.
    pub fn tagged(&mut self, attributes: String, cells: Vec<String>) {
        self.rows.push((attributes, cells));
    }

    /// The table as HTML; one that can be sorted gets buttons from the script.
    pub fn html(&self, id: &str, sortable: bool) -> String {
        self.written(id, sortable, "")
    }

    /// A table that can be sorted, and whose rows become blocks where the window is narrow, each cell with its title.
    pub fn stacked(&self, id: &str) -> String {
        self.written(id, true, " class=\"stack\"")
    }

    fn written(&self, id: &str, sortable: bool, kind: &str) -> String {
        let class = |number: bool| if number { " class=\"n\"" } else { "" };
        let head: String = self
            .head
            .iter()
            .map(|(name, number)| format!("<th scope=\"col\"{}>{}</th>", class(*number), escape(name)))
            .collect();
        let mut body = String::new();
        for (attributes, cells) in &self.rows {
            let cells: String = cells
                .iter()
                .zip(&self.head)
                .map(|(cell, (name, number))| {
                    let title =
                        if kind.is_empty() { String::new() } else { format!(" data-title=\"{}\"", escape(name)) };
                    format!("<td{}{title}>{cell}</td>", class(*number))
                })
                .collect();
            body += &format!("<tr{attributes}>{cells}</tr>\n");
        }
        let sort = if sortable { " data-sort" } else { "" };
        format!(
            "<div class=\"scroll\"><table id=\"{}\"{kind}{sort}>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table></div>\n",
            escape(id)
        )
    }

    /// The table as Markdown.
    pub fn markdown(&self) -> String {
        let head: Vec<&str> = self.head.iter().map(|(name, _)| name.as_str()).collect();
        let marks: Vec<&str> = self.head.iter().map(|(_, number)| if *number { "---:" } else { "---" }).collect();
        let mut text = format!("| {} |\n|{}|\n", head.join(" | "), marks.join("|"));
        for (_, cells) in &self.rows {
            let cells: Vec<String> = cells.iter().map(|cell| plain(cell).replace('|', "\\|")).collect();
            text += &format!("| {} |\n", cells.join(" | "));
        }
        text
    }
}

/// HTML without its tags.
pub fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' if inside => inside = false,
            c if !inside => text.push(c),
            _ => {}
        }
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}
