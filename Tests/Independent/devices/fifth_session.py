"""Habits and mistakes of the session client, fifth round: kinds of failures, renewed tokens, what crosses the background."""

from common import fifth_round, mutant, variant
from habits_session import BACK, LONG, PING3, RECOVERING, RESET

LINEAR = "min(count x 1 s, 5 s) (BOR-2)"

VARIANTS = fifth_round([
    variant("new-session-after-2-s", "the document gives no time", "the new session is opened 2 s after the loss was seen", opensAfterLoss=2.0),
    variant("pong-after-900-ms", "no document gives a time", "a server's ping is answered after 900 ms", pongDelay=0.9),
    variant("activation-after-700-ms", "the document gives no time", "700 ms between activation and what follows", activationDelay=0.7),
    variant("closes-after-1500-ms", "no document says when the old socket is closed", "the old socket is closed after 1.5 s", closesAfter=1.5),
])

MUTANTS = fifth_round([
    mutant("http-refusal-counts-twice", "BOR-2", LINEAR, "an attempt that HTTP refuses counts as two", httpRefusalCountsTwice=True),
    mutant("background-begins-anew", "BOR-8", LINEAR, "a background during an outage begins the series anew", backgroundResets=True),
    mutant("second-silence-takes-twice", "BOR-4", "an attempt that has not succeeded by the connection timeout has failed",
           "after an unanswered attempt the next one has twice the time", silentGrowth=2),
    mutant("resets-since-first-success", "BOR-7", RESET, "counts the ten seconds from the first successful reconnection", resetsSinceFirstSuccess=True),
    mutant("one-renewal", "BOR-9", RECOVERING, "only the first token that a resumption brings is used", mostRenewals=1),
    mutant("other-session-later", "BOR-9", RECOVERING, "from the second outage on the answer for another session is accepted", acceptsOtherLater=True),
    mutant("no-pong-right-after-resumption", "BOR-11", "cannot respond to server ping requests", "a server's ping within 300 ms of a resumption is not answered",
           noPongAfterResumption=0.3),
    mutant("no-timer-after-loss", "BOR-11", PING3, "the session that follows a lost one has no pings", noTimerAfterLoss=True),
    mutant("late-validation-opens", "BOR-15", BACK, "a validating ping that fails in the background opens a new session there", lateValidationOpens=True),
])
