import { html } from 'hono/html'
import { banks } from '@/sandbox/seed/names'
import type { BridgeClaims } from './bridge-token'
import {
  listOfferedAccountKinds,
  makeTestAccount,
  type TestAccountKind,
  testAccounts,
} from './link-from-page'

type Html = ReturnType<typeof html>

const backButton = html`<button type="button" class="quiet" data-go="banks">Back to the banks</button>`

const renderSubmitActions = (label: string): Html => html`
<p class="failure" role="alert" data-failure hidden></p>
<div class="actions"><button type="submit" data-label="${label}">${label}</button>${backButton}</div>`

type FormField = {
  name: string
  label: string
  type: 'text' | 'password'
  hint: string
  wrong: string
  rule?: { pattern: string; max: number }
}

const renderField = ({ name, label, type, hint, wrong, rule }: FormField): Html => html`
<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" required autocomplete="off" spellcheck="false" autocapitalize="none" data-name="${label}" data-wrong="${wrong}"
aria-describedby="${name}-hint ${name}-error"${rule ? html` inputmode="numeric" pattern="${rule.pattern}" maxlength="${rule.max}"` : ''}>
<p class="hint" id="${name}-hint">${hint}</p>
<p class="error" id="${name}-error" hidden></p>
</div>`

const renderRadioChoice = (name: string, value: string, checked: boolean, text: Html): Html => html`
<label class="choice"><input type="radio" name="${name}" value="${value}"${checked ? html` checked` : ''}><span>${text}</span></label>`

const renderTestAccount = (
  customerId: string,
  routing: string,
  kind: TestAccountKind,
  index: number,
): Html => {
  const { name, holder } = testAccounts[kind]
  const lastFour = makeTestAccount(customerId, routing, kind).account_number.slice(-4)
  return renderRadioChoice(
    `account-${routing}`,
    kind,
    index === 0,
    html`<b>${name} <span class="digits">*${lastFour}</span></b> ${holder}`,
  )
}

const renderTestAccountFieldset = (
  claims: BridgeClaims,
  bank: (typeof banks)[number],
): Html => html`
<fieldset data-accounts="${bank.routing}" data-name="${bank.name}" hidden disabled>
<legend class="unseen">Accounts at ${bank.name}</legend>
${listOfferedAccountKinds(claims).map((kind, place) => renderTestAccount(claims.customer_id, bank.routing, kind, place))}
</fieldset>`

const bankStepHtml: Html = html`
<section data-step="banks">
<h1 tabindex="-1">Choose your bank</h1>
<p class="lead">Test banks. No real bank is contacted and no money moves.</p>
<div class="field">
<label for="search">Search by name</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" data-search>
</div>
<ul class="banks">${banks.map(({ name, routing }) => html`<li><button type="button" data-bank="${routing}">${name}</button></li>`)}</ul>
<p class="none" data-none hidden>No test bank has that name.</p>
<button type="button" class="quiet" data-go="typed">Type account and routing number instead</button>
</section>`

const signInStepHtml: Html = html`
<section data-step="sign-in" hidden>
<h1 tabindex="-1">Sign in to <span data-bank-name>your bank</span></h1>
<p class="lead">Any name and password will do. They stay on this page and are neither checked nor sent.</p>
<form novalidate data-form="sign-in">
${renderField({ name: 'user', label: 'User name', type: 'text', hint: 'Whatever you like.', wrong: 'must not be empty' })}
${renderField({ name: 'password', label: 'Password', type: 'password', hint: 'Not one you use elsewhere.', wrong: 'must not be empty' })}
${renderSubmitActions('Sign in')}
</form>
</section>`

function formatForcedOutcome({ sandbox_outcome, processing_method }: BridgeClaims): string {
  if (processing_method === 'skip')
    return ' This session skips verification: every account is accepted.'
  return sandbox_outcome === 'standard'
    ? ''
    : ` This session was started with the outcome “${sandbox_outcome}”, whichever account you choose.`
}

const renderAccountStep = (claims: BridgeClaims): Html => html`
<section data-step="accounts" hidden>
<h1 tabindex="-1">Choose an account</h1>
<p class="lead">At <span data-bank-name>your bank</span>.${formatForcedOutcome(claims)}</p>
<form novalidate data-form="accounts">
${banks.map((bank) => renderTestAccountFieldset(claims, bank))}
${renderSubmitActions('Link this account')}
</form>
</section>`

const renderManualEntryStep = (claims: BridgeClaims): Html => html`
<section data-step="typed" hidden>
<h1 tabindex="-1">Type your account</h1>
<p class="lead">Both numbers stand at the foot of a check.${formatForcedOutcome(claims)}</p>
<form novalidate data-form="typed">
${renderField({
  ...{
    name: 'routing_number',
    label: 'Routing number',
    type: 'text',
    hint: 'Nine digits, such as 021000021.',
  },
  ...{ wrong: 'must be nine digits', rule: { pattern: '\\d{9}', max: 9 } },
})}
${renderField({
  ...{ name: 'account_number', label: 'Account number', type: 'text', hint: 'Any 4 to 17 digits.' },
  ...{ wrong: 'must be 4 to 17 digits', rule: { pattern: '\\d{4,17}', max: 17 } },
})}
<fieldset class="pair"><legend>Kind of account</legend>
${renderRadioChoice('account_type', 'checking', true, html`Checking`)}${renderRadioChoice('account_type', 'savings', false, html`Savings`)}
</fieldset>
${renderSubmitActions('Link this account')}
</form>
</section>`

const doneActionsHtml = html`<div class="actions"><button type="button" data-act="done">Done</button></div>`

const renderResultStep = (status: string, title: string, text: string, actions: Html): Html => html`
<section class="result ${status}" data-step="${status}" hidden>
<h1 tabindex="-1">${title}</h1>
<p class="account" data-account></p>
<p class="lead">${text}</p>
${actions}
</section>`

const retryActionsHtml = html`<div class="actions"><button type="button" data-act="again">Choose another account</button></div>`

const resultStepsHtml: Html = html`
${renderResultStep('active', 'Your account is linked', 'It can be used for payments from now on.', doneActionsHtml)}
${renderResultStep('review', 'Your account is in review', 'Somebody has a look at it first. Payments wait until that is decided.', doneActionsHtml)}
${renderResultStep('pending', 'Your account is being verified', 'That takes a few seconds. Payments wait until it is done.', doneActionsHtml)}
${renderResultStep('rejected', 'This account cannot be linked', 'It did not pass verification. You can try with another one.', retryActionsHtml)}`

const renderPage = (
  title: string,
  headerLabel: string,
  body: Html,
  bodyAttributes: Html,
): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/bridge/page.css">
<script src="/bridge/page.js" defer></script>
</head>
<body${bodyAttributes}>
<main>
<header><p class="mark">${headerLabel}</p><button type="button" class="quiet" data-act="close">Close</button></header>
<p class="unseen" role="status" data-status></p>
${body}
<section data-step="closed" hidden><h1 tabindex="-1">Closed</h1><p class="lead">You can leave this page.</p></section>
<p class="aside" data-alone hidden>This page was opened directly, not inside an application. No application is told what you do here.</p>
<noscript><p class="failure">This page needs JavaScript.</p></noscript>
</main>
</body>
</html>
`

export function renderBridgePage(claims: BridgeClaims, origin: string | undefined): string {
  const allStepsHtml = html`${bankStepHtml}${signInStepHtml}${renderAccountStep(claims)}${renderManualEntryStep(claims)}${resultStepsHtml}`
  const headerLabel = `Bank connection · ${claims.environment}`
  return String(
    renderPage(
      'Choose your bank · Bank connection',
      headerLabel,
      allStepsHtml,
      html` data-origin="${origin ?? ''}"`,
    ),
  )
}

const refusalTitleByStatus: Readonly<Record<number, string>> = {
  401: 'This session is not valid',
  403: 'This page may not be opened here',
  409: 'This session was used',
  422: 'No bank account can be linked',
  503: 'Not ready yet',
}

export function renderRefusalPage(
  { status, detail }: { status: number; detail: string },
  origin: string | undefined,
): string {
  const title = refusalTitleByStatus[status] ?? 'Something went wrong'
  const refusalPageBody = html`
<section class="result rejected" data-step="refused">
<h1 tabindex="-1">${title}</h1>
<p class="lead">${detail}</p>
<p class="lead">Go back to where you came from and start again.</p>
</section>`
  const bodyAttributes = html` data-origin="${origin ?? ''}" data-refused="${status}" data-message="${detail}"`
  return String(
    renderPage(`${title} · Bank connection`, 'Bank connection', refusalPageBody, bodyAttributes),
  )
}
