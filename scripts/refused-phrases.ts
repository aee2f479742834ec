/** A phrase that screens must not contain, and its replacement. */
export type RefusedPhrase = { phrase: RegExp; say: string }

const createRefusedPhrase = (phrasePattern: string, replacement: string): RefusedPhrase => ({
  phrase: new RegExp(`(?<![\\w-])(?:${phrasePattern})(?![\\w-])`, 'i'),
  say: replacement,
})

/** Phrases of this project for which the field has a common term. */
const projectPhrases = [
  createRefusedPhrase('narrower', 'Collapse sidebar'),
  createRefusedPhrase('my work', 'Queue'),
  createRefusedPhrase('waits for you', 'For you'),
  createRefusedPhrase('work through', 'Start queue (24)'),
  createRefusedPhrase('verif(?:y|ied|ies) (?:\\S+ )?(?:anew|again)', 'Re-verify'),
  createRefusedPhrase('read the balance', 'Refresh balance'),
  createRefusedPhrase(
    'read again|reads? it again|read just now',
    'Refresh, Try again, Updated just now',
  ),
  createRefusedPhrase('made-up', 'Synthetic identity'),
  createRefusedPhrase('known for long', 'Established customer'),
  createRefusedPhrase('who it is', 'Identity details'),
  createRefusedPhrase(
    'no payment waits|payments? (?:that|which) waits? on it|payments waiting',
    'No pending payments, Pending payments',
  ),
  createRefusedPhrase('clears it', 'To resolve'),
  createRefusedPhrase('who:', 'Who can do this:'),
  createRefusedPhrase('nothing here:', 'what to do: Cancel this payout and ask the customer …'),
  createRefusedPhrase('allows? the originator', 'have the bank allow-list our ACH company ID'),
  createRefusedPhrase(
    'held on purpose|whoever set the rule',
    'Manual hold at creation, Get approval from the rule owner',
  ),
  createRefusedPhrase(
    'asks for a person|wants a person|leaves it to a person',
    'Flagged for manual review',
  ),
  createRefusedPhrase('cannot be used as it is', 'Bank account not usable'),
  createRefusedPhrase('daily or monthly limit', 'the limit that is exceeded, by how much'),
  createRefusedPhrase('never assume', 'Unavailable'),
  createRefusedPhrase('reveal it in the record', 'Masked. Reveal to check'),
  createRefusedPhrase('(?:first|second|another|earlier) try', 'Original, Resubmission'),
  createRefusedPhrase(
    'sen[dt] (?:it )?again as|sent again|send again',
    'Resubmit, Resubmission (a payment); Try again (a form)',
  ),
  createRefusedPhrase('there is no undo', 'This cannot be undone'),
  createRefusedPhrase('(?:is|are) closed:|^closed:', 'Release unavailable: …'),
  createRefusedPhrase('before it is sent$|^before it is sent', 'Confirm before sending'),
  createRefusedPhrase('in a sentence', 'Note'),
  createRefusedPhrase(
    'newest (?:history entry|entry of its history) is',
    'Confirmed in the provider’s history',
  ),
  createRefusedPhrase('keeps (?:checking|asking)', 'Checking continues in the background'),
  createRefusedPhrase(
    'needs? a look|waits? for a person|waits? to be',
    'Needs review, Awaiting review',
  ),
  createRefusedPhrase('compliance of the service', 'the provider’s compliance team'),
  createRefusedPhrase('unblockable', 'Eligible to unblock'),
  createRefusedPhrase(
    'not enough (?:money|(?:or uncollected )?funds)|insufficient or uncollected',
    'Insufficient funds (R01)',
  ),
  createRefusedPhrase('other limits', 'Request limit change'),
  createRefusedPhrase(
    'hand(?:ed|ing)? (?:it |over|…)?.{0,30}(?:to verification|over)',
    'Submit for verification',
  ),
  createRefusedPhrase(
    '(?:nobody|who|person|people who) speaks? for|speaks for the account',
    'No control person, representatives',
  ),
  createRefusedPhrase(
    'likely ends at|times in 10',
    'Forecast: 16% of the monthly limit by month-end (80% confidence)',
  ),
  createRefusedPhrase('taken? back|took .{0,20}back', 'Withdraw, revoke, cancel'),
  createRefusedPhrase('for ever', 'Permanently delete X'),
  createRefusedPhrase('write the file|as the list comes', 'Export, Reset columns'),
  createRefusedPhrase('mend(?:s|ed|ing)?', 'fix'),
  createRefusedPhrase('the service said no', 'The payments service rejected this'),
  createRefusedPhrase('a reason code, a colon', 'Choose a reason and add a note'),
  createRefusedPhrase(
    'refuses (?:our|the) key',
    'The payments service rejected our API key. An admin must replace it',
  ),
  createRefusedPhrase('your role reads', 'You have read-only access'),
  createRefusedPhrase('is shown no more', 'Only the last four digits are shown'),
  createRefusedPhrase('decided by nobody', 'Submitted, awaiting decision'),
  createRefusedPhrase('asked by: you', 'Requested by Dana Admin'),
  createRefusedPhrase('unknown find', 'Not yet known'),
  createRefusedPhrase('action book', 'action log'),
  createRefusedPhrase('(?:is )?not settled yet', 'still in progress'),
  createRefusedPhrase('switch(?:es|ed)? (?:it )?(?:off|on)', 'Deactivate, Activate; inactive'),
  createRefusedPhrase(
    'stands? (?:against|in the way|here|there|above|below)',
    'blocks; is listed here',
  ),
  createRefusedPhrase('^look$|^looking…?$', 'Review (of a check), Searching…'),
  createRefusedPhrase('still being read', 'still loading'),
  createRefusedPhrase('keys (?:of|on) this page|these keys', 'Keyboard shortcuts'),
  createRefusedPhrase('of this desk', 'Paydesk …'),
  createRefusedPhrase('what it does|pays for', 'Business description, Purpose of the payments'),
  createRefusedPhrase(
    '^(?:an? (?:day|month)|payments a month)$',
    'Per payment, Per day, Per month, Payments per month',
  ),
  createRefusedPhrase('asked for (?:its|the|a) deletion', 'requested the deletion'),
  createRefusedPhrase('person concerned', 'Data subject'),
  createRefusedPhrase('needs a person|as a person decided', 'needs a decision, decided manually'),
  createRefusedPhrase('born', 'Date of birth'),
  createRefusedPhrase('skeleton of', 'basic facts of'),
  createRefusedPhrase('makes a paykey', 'Creates a paykey'),
]

/** Phrases that a manager of payment operations did not understand at first reading. */
const operationsPhrases = [
  createRefusedPhrase('give back', 'Release claim'),
  createRefusedPhrase('confirm that it is you', 'Verify it’s you'),
  createRefusedPhrase('nothing was sent yet', 'Sent for approval'),
  createRefusedPhrase('until it is answered', 'until it’s decided'),
  createRefusedPhrase('queue clear', 'All caught up'),
  createRefusedPhrase('(?:are|is) not available to you', 'You don’t have access to …'),
  createRefusedPhrase('not known whether paydesk', 'We don’t know if this went through'),
  createRefusedPhrase('uses the same key', 'it can’t be sent twice'),
  createRefusedPhrase('make the invitation', 'Create invite link'),
  createRefusedPhrase('the same again|is not the same', 'Confirm password, Passwords don’t match'),
  createRefusedPhrase(
    'by mail|what you are told of|what needs you',
    'Email, Notification settings, Waiting for you',
  ),
  createRefusedPhrase('put in force', 'Activate'),
  createRefusedPhrase('rows hold', 'Verified: 120 entries, none altered'),
  createRefusedPhrase('nobody signed in', 'Signed out'),
  createRefusedPhrase('slow down', 'the provider is rate-limiting us'),
  createRefusedPhrase('requested outside paydesk', 'in the provider’s dashboard'),
  createRefusedPhrase('banking days', 'business days'),
  createRefusedPhrase('in minor units', 'leave the raw amount out of sentences'),
  { phrase: /\bCancelled\b/, say: 'Canceled' },
  {
    phrase: /^(?:give|enter|choose) (?:a|an|the|your) /,
    say: 'an error is a sentence: Enter a name.',
  },
]

/** Phrases that only this project uses, British spelling, and number formats outside the US. */
const stylePhrases = [
  createRefusedPhrase('anew', 'again'),
  createRefusedPhrase('by (?:it|them)selves|by itself', 'automatically, in the background'),
  createRefusedPhrase('stands', 'is, is shown, is listed'),
  createRefusedPhrase('of it', 'name the thing'),
  createRefusedPhrase('for good', 'permanently'),
  createRefusedPhrase('may be used', 'Active, is usable'),
  createRefusedPhrase('goes? on alone', 'continues in the background'),
  createRefusedPhrase('somebody|anybody', 'someone, anyone, the role'),
  createRefusedPhrase('looked at', 'reviewed, checked'),
  createRefusedPhrase('e-mail\\w*', 'email'),
  {
    phrase:
      /(?:xternal|ax|ccount|ustomer|rganization|epresentative|ayment|ayout|harge|aykey|race) ids?(?![-\w])/,
    say: 'ID',
  },
  createRefusedPhrase(
    '\\w*(?:uthoris|okenis|rganis|ecognis)\\w*|colour|behaviour|cheque',
    'American spelling',
  ),
  { phrase: /[\d…)]\s%(?!\w)/, say: 'no space before a percent sign: 0.5%' },
]

export const refusedPhrases: readonly RefusedPhrase[] = [
  ...projectPhrases,
  ...operationsPhrases,
  ...stylePhrases,
]
