import { createHash } from 'node:crypto'
import { html } from 'hono/html'
import type { Environment } from '@/sandbox/environment'
import { integrationTexts } from '@/sandbox/integration'
import type { Sandbox } from '@/sandbox/sandbox'
import { toIsoTime } from '@/sandbox/store/clock'

/** The Content-Security-Policy allows only the hash of this text, so no other style applies. */
const homeStyle = `
:root { color-scheme: light dark; --ink: #16202b; --soft: #55636f; --paper: #fbfaf7; --line: #dcd8ce; --block: #f1eee6; --link: #0b5c6b; --mark: #0b5c6b; --warn: #9a3412 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --soft: #9fadb8; --paper: #11171d; --line: #2b353f; --block: #19212a; --link: #6cc7d6; --mark: #6cc7d6; --warn: #f0a072 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", sans-serif; -webkit-text-size-adjust: 100% }
main { max-width: 46rem; margin: 0 auto; padding: clamp(1.5rem, 6vw, 4.5rem) clamp(1rem, 5vw, 2rem) 4rem }
h1 { font-size: clamp(1.75rem, 5vw, 2.4rem); line-height: 1.15; letter-spacing: -0.02em; margin: 0 0 .75rem; text-wrap: balance }
h2 { font-size: 1rem; margin: 0 0 .6rem }
p { margin: 0 0 .75rem; text-wrap: pretty }
.lead { font-size: 1.1rem; color: var(--soft) }
.mark { font: 600 .8rem/1 ui-monospace, "SF Mono", Menlo, Consolas, monospace; color: var(--mark); margin: 0 0 .9rem }
.mark::before { content: ""; display: inline-block; width: .55rem; height: .55rem; margin-right: .5rem; background: currentColor }
.mark.production { color: var(--warn) }
nav { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; margin-top: 1.25rem }
a { color: var(--link); text-underline-offset: .2em; text-decoration-thickness: 1px; padding: .25rem 0 }
a:hover { text-decoration-thickness: 2px }
a:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 3px }
section { border-top: 1px solid var(--line); margin-top: 2rem; padding-top: 1.5rem }
code { font: .9em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace }
p code { white-space: nowrap }
pre { background: var(--block); margin: .75rem 0 0; padding: .8rem 1rem; overflow-x: auto; border-left: 3px solid var(--mark) }
dl { margin: 0 }
dl div { display: grid; grid-template-columns: 13rem 1fr; gap: 0 1.5rem; padding: .5rem 0 }
dl div + div { border-top: 1px dotted var(--line) }
dt { font-weight: 600 }
dt code { font-weight: 500 }
dd { margin: 0; color: var(--soft); overflow-wrap: anywhere; font-variant-numeric: tabular-nums }
@media (max-width: 36rem) { dl div { grid-template-columns: 1fr } }
`

type Html = ReturnType<typeof html>

const environmentTexts: Record<Environment, string> = {
  sandbox:
    'This is the sandbox environment. No real money moves, every object is made up, and there is no rate limit of its own.',
  production:
    'This plays the production environment: its keys and data are its own, requests are counted together, and nothing can be simulated. No real money moves here either.',
}

const listHeaderTexts = ({
  dialect: { account },
  integration,
}: Sandbox): readonly (readonly [string, string])[] => [
  ['Authorization', 'Bearer and an API key of this environment. On every request.'],
  [
    account.name,
    integration === 'account'
      ? 'Not accepted: every request acts for the one account.'
      : `The account you act for: ${account.described}.`,
  ],
  [
    'Idempotency-Key',
    '10 to 40 characters of your own on a write. The same key and request give the first answer again for 24 hours.',
  ],
  ['Request-Id', 'Your own word for tracing one request. It comes back with the answer.'],
  ['Correlation-Id', 'The same for a series of requests.'],
]

/** Formats 90061000 ms as `1 d 1 h 1 min`. Returns an empty text for less than a minute. */
function formatDuration(ms: number): string {
  const minutes = Math.floor(Math.abs(ms) / 60_000)
  const unitCounts = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ] as const
  return unitCounts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(' ')
}

function formatClock({ clock }: Sandbox): string {
  const offsetDuration = formatDuration(clock.offset)
  const offsetText =
    offsetDuration === ''
      ? 'level with this machine'
      : `${offsetDuration} ${clock.offset > 0 ? 'ahead of' : 'behind'} this machine`
  const speedText = clock.speed === 1 ? '' : `, running ${clock.speed} times as fast`
  return `${toIsoTime(clock.now()).slice(0, 19).replace('T', ' ')} UTC, ${offsetText}${speedText}`
}

const listCurrentStateTexts = (
  sandbox: Sandbox,
  hasControlPlane: boolean,
): readonly (readonly [string, string])[] => [
  ['Dialect', `${sandbox.dialect.name}: ${sandbox.dialect.summary}`],
  ['Integration', `${sandbox.integration}: ${integrationTexts[sandbox.integration]}`],
  ['Clock', formatClock(sandbox)],
  [
    'Data',
    `${sandbox.plan.payments.toLocaleString('en-US')} payments, from seed number ${sandbox.plan.seed}${sandbox.ready ? '' : '; being made right now'}`,
  ],
  [
    'Control plane',
    hasControlPlane
      ? 'On, under /sandbox, for connections from this machine'
      : 'Off. Start with --control to move the clock and plan faults',
  ],
]

const renderDefinitionList = (
  entries: readonly (readonly [string, string])[],
  isCode: boolean,
): Html =>
  html`<dl>${entries.map(([term, text]) => html`<div><dt>${isCode ? html`<code>${term}</code>` : term}</dt><dd>${text}</dd></div>`)}</dl>`

const renderHomePageBody = (
  sandbox: Sandbox,
  hasControlPlane: boolean,
  origin: string,
): Html => html`
<header>
<p class="mark ${sandbox.environment}">${sandbox.environment}</p>
<h1>Payments service</h1>
<p class="lead">${environmentTexts[sandbox.environment]}</p>
<nav><a href="/reference">Reference</a><a href="/openapi.json">OpenAPI document</a></nav>
</header>
<section>
<h2>Authenticate</h2>
<p>Take the key called <code>full</code> from <code>api-keys.json</code> in ${sandbox.environment === 'production' ? html`the <code>production</code> folder of ` : ''}the data folder the process was started with.
<code>read_only</code>, <code>expired</code> and a key of the other environment lie beside it, for trying refusals.</p>
<pre tabindex="0"><code>curl ${origin}/v1/payments \\
  -H "Authorization: Bearer &lt;API_KEY&gt;"</code></pre>
</section>
<section>
<h2>Headers</h2>
${renderDefinitionList(listHeaderTexts(sandbox), true)}
</section>
<section>
<h2>Right now</h2>
${renderDefinitionList(listCurrentStateTexts(sandbox, hasControlPlane), false)}
</section>`

const styleHash = `sha256-${createHash('sha256').update(homeStyle).digest('base64')}`

/**
 * Returns the sandbox's home page. It names the file with the API keys but shows no key.
 * `styleHash` belongs in the page's Content-Security-Policy.
 */
export function renderHomePage(
  sandbox: Sandbox,
  hasControlPlane: boolean,
  origin: string,
): { html: string; styleHash: string } {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Payments service · ${sandbox.environment}</title>
<link rel="icon" href="data:,">
<style>`
  return {
    html: `${page}${homeStyle}</style>\n</head>\n<body>\n<main>${renderHomePageBody(sandbox, hasControlPlane, origin)}\n</main>\n</body>\n</html>\n`,
    styleHash,
  }
}
