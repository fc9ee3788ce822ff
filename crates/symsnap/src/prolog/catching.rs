//! `catch/3` and `throw/1`.
//!
//! A `catch/3` is a choice, which holds the state that an error returns to, and a frame behind its goal. An error looks
//! for such frames in what remained to be done: a goal that has been left is no longer among that, although its choice
//! may still be there. Limits and calls of what is left out on purpose are not caught: what a program would do then is
//! not what it does in SWI-Prolog.

use super::limits::Fault;
use super::machine::{Alternative, Flow, Machine, MachineStep};
use super::procedure::Det;
use super::raise::{Raise, Raised, What};
use super::store::View;

pub(super) fn find(name: &str, arity: u32) -> Option<Det> {
    match (name, arity) {
        ("throw", 1) => Some(throw),
        _ => None,
    }
}

/// `catch(Goal, Catcher, Recovery)`.
pub(super) fn catch(m: &mut Machine, next: u32) -> Result<Flow, Raised> {
    let [goal, catcher, recovery] = [m.args[0], m.args[1], m.args[2]];
    let height = m.height();
    let bags = u32::try_from(m.bags.len()).expect("depth is limited");
    m.choose(Alternative::Catch { catcher, recovery, bags }, next);
    let leave = m.push(MachineStep::Leave(height), next);
    Ok(Flow::Go(MachineStep::Enter { goal, cut: height + 1 }, leave))
}

fn throw(m: &mut Machine) -> Result<bool, Raised> {
    if let View::Var(_) = m.store.view(m.args[0]) {
        return Err(Raise::instantiation());
    }
    let mut saved = Vec::new();
    m.store.save(m.args[0], &mut saved);
    if m.store.fuel < 0 {
        return Err(Fault::Steps.into());
    }
    Err(Raise::new(What::Thrown(saved.into())))
}

impl Machine {
    /// Go on with the recovery of the innermost `catch/3` that catches the error, of those whose goals are not done;
    /// `frame` is what remained to be done.
    pub fn recover(&mut self, raised: Raised, mut frame: u32) -> Result<Flow, Raised> {
        if let What::End(_) = raised.what {
            return Err(raised);
        }
        loop {
            let (step, next) = self.frame(frame);
            match step {
                MachineStep::Stop => return Err(raised),
                MachineStep::Leave(height) => {
                    if let Some(flow) = self.recover_at(height, &raised)? {
                        return Ok(flow);
                    }
                }
                _ => {}
            }
            self.store.fuel -= 1;
            frame = next;
        }
    }

    /// Catch the error at the choice at `height`, if its catcher fits. As in SWI-Prolog it must do so with the bindings
    /// that the goal has made and without them.
    fn recover_at(&mut self, height: u32, raised: &Raise) -> Result<Option<Flow>, Raised> {
        let Alternative::Catch { catcher, recovery, bags } = self.choices[height as usize].alternative else {
            unreachable!("a goal that is not done keeps the choice of its `catch/3`")
        };
        let top = self.store.cells.len();
        let ball = self.store.ball(raised).expect("the caller has dealt with what is not caught");
        let fits = self.store.can_unify(catcher, ball);
        self.store.cells.truncate(top);
        if self.store.fuel < 0 {
            return Err(Fault::Steps.into());
        }
        if !fits {
            return Ok(None);
        }
        let next = self.return_to(height).next;
        self.bags.truncate(bags as usize);
        self.tables.forsake(height);
        let ball = self.store.ball(raised).expect("the caller has dealt with what is not caught");
        let caught = self.store.unify(catcher, ball);
        Ok(Some(if caught { Flow::Go(MachineStep::Enter { goal: recovery, cut: height }, next) } else { Flow::Fail }))
    }
}
