// Package simulation runs the whole service in one process and in a time of its own, with
// everything that it calls and everybody who calls it, and lets one of them go on at a time. A
// seed decides who is next and what goes wrong, so a run can be repeated: docs/simulation.md.
//
// A run is a testing/synctest bubble. Instances of the service (an API and a worker each)
// share a SQLite file; a driver around SQLite's stops each statement that writes at a point,
// as does each call to the outside. The loop (sim.loop) waits until every goroutine is blocked,
// lists what may go on, and picks one by the seed. A fault is drawn for each point by its
// number, from a source of its own, so that one can be left out without changing the others.
//
// A crash abandons an instance: whatever it has parked fails, its connections are closed, and
// nothing of it reaches the database or the outside any more. Another one is started on the
// file some time later.
package simulation
