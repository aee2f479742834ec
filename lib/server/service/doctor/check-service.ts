import 'server-only'
import type { AmountUnit } from '@/lib/money'
import type { Environment } from '@/lib/operations/define'
import { paymentStatuses } from '@/lib/operations/enumerations'
import { type ListStyle, toQuery } from '@/lib/operations/layout'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { Finding, ServiceReport } from '@/lib/operations/service-check'
import { env } from '@/lib/server/config/env'
import { keyFingerprint } from '@/lib/server/service/client'
import { type AccountForm, accountFindings, accountIn } from './account-header'
import { addressFinding, clockFinding, encryptionFinding, keyFindings } from './connection'
import { type Answered, type Ask, Conversation, isPassing, isSuccess, type Read, readAnswer } from './conversation'
import { accountIds, consentIn, operationFindings, readOneOfEach, rowsIn, sampleSize } from './operations'

/** Minimum number of amounts for a decision: a few whole numbers may be chance. */
const enoughAmounts = 3

/** Returns the amounts of a response as text: parsed as numbers, 100.00 and 100 would be equal. */
const amountsIn = (answer: Answered): string[] =>
  [...answer.text.matchAll(/"amount"\s*:\s*"?(-?\d+(?:\.\d+)?)"?\s*[,}]/g)].map(([, amount]) => amount ?? '')

const paymentReads: readonly string[] = ['payments.search', 'charges.get', 'payouts.get']

/**
 * Returns the amount unit: major if at least half have decimals, minor if none has. Null for too few amounts, or if fewer have decimals.
 */
function unitOf(amounts: ReadonlySet<string>): AmountUnit | null {
  const withDecimals = [...amounts].filter((amount) => amount.includes('.')).length
  if (amounts.size < enoughAmounts) return null
  if (withDecimals === 0) return 'minor'
  return withDecimals * 2 >= amounts.size ? 'major' : null
}

const written = { minor: 'all amounts are whole numbers', major: 'amounts are written with decimals' }

/** Checks the unit against how payments write amounts: decimals mean major units, whole numbers minor units. */
function unitFinding(unit: AmountUnit, reads: readonly Read[]): Finding {
  const label = 'Amount unit'
  const replies = reads.filter(({ operation }) => paymentReads.includes(operation)).map(({ reply }) => reply)
  const detectedUnit = unitOf(new Set(replies.flatMap((reply) => (isSuccess(reply) ? amountsIn(reply) : []))))
  if (detectedUnit === null) return { label, verdict: 'cannot_tell', text: `${unit}: too few amounts, or not written in one way` }
  if (detectedUnit === unit) return { label, verdict: 'fits', text: `${unit}: ${written[detectedUnit]}` }
  const text = `${unit}: ${written[detectedUnit]}; shown amounts would be wrong by a factor of 100`
  return { label, verdict: 'does_not_fit', text, set: `SERVICE_AMOUNT_UNIT=${detectedUnit}` }
}

/** Known paths of capability requests (provider facts 0.3). */
const knownPaths = ['/v1/accounts/capability_requests', '/v1/accounts/{account_id}/capability_requests']

/** Checks the configured path of capability requests. Requests those of one account; the response must contain no others. */
async function capabilityFinding(talk: Conversation, path: string, form: AccountForm, accounts: Read | null): Promise<Finding> {
  const label = 'Capability path'
  const [account] = accountIds(accounts)
  if (!account) return { label, verdict: 'cannot_tell', text: `${path}: there is no account to try it with` }
  const questionAt = (template: string) => ({
    path: template.replace('{account_id}', encodeURIComponent(account)),
    query: toQuery({ page_number: 1, page_size: sampleSize }),
    ...(template.includes('{account_id}') ? {} : { account: accountIn(form, account) }),
  })
  const read = await talk.readAt('capability_requests.list', questionAt(path))
  if (!read || isPassing(read.reply)) return { label, verdict: 'cannot_tell', text: `${path}: no answer` }
  if (read.reading) {
    const rows = rowsIn(read) as { account_id?: string }[]
    const foreign = rows.some(({ account_id }) => account_id !== undefined && account_id.toLowerCase() !== account)
    if (!foreign) return { label, verdict: 'fits', text: path }
    const text = `${path}: answers with the requests of other accounts too`
    return { label, verdict: 'does_not_fit', text, set: 'see to the account header first' }
  }
  for (const other of knownPaths.filter((each) => each !== path)) {
    const reply = await talk.ask(questionAt(other))
    if (reply && readAnswer('capability_requests.list', reply)) {
      return { label, verdict: 'does_not_fit', text: `${path}: not there`, set: `SERVICE_CAPABILITY_REQUESTS_PATH=${other}` }
    }
  }
  return { label, verdict: 'does_not_fit', text: `${path}: not there, nor at the other known path`, set: 'ask the service for the path' }
}

const newest = { page_number: 1, page_size: sampleSize, sort_by: 'created_at', sort_order: 'desc' }

/** Returns the known states among payments. An unknown state proves nothing about a filter. */
const statesIn = (rows: readonly { status?: string }[]): string[] => {
  const statuses = new Set(rows.map(({ status }) => status))
  return paymentStatuses.filter((state) => statuses.has(state))
}

/** True if a search for two states returns payments of both and no others; null if there was no usable response. */
async function isHonoured(talk: Conversation, style: ListStyle, states: readonly string[]): Promise<boolean | null> {
  const reply = await talk.ask({ path: '/v1/payments', query: toQuery({ ...newest, payment_status: states }, style) })
  if (!reply || isPassing(reply)) return null
  const returnedStates = statesIn((readAnswer('payments.search', reply)?.data ?? []) as PaymentSummary[])
  return returnedStates.length === states.length && states.every((state) => returnedStates.includes(state))
}

/** Checks the list style with the newest payments: a filter of two states must return both and no third. */
async function listFinding(talk: Conversation, style: ListStyle, payments: Read | null): Promise<Finding> {
  const label = 'List style'
  const states = statesIn(rowsIn(payments))
  if (states.length < 3) return { label, verdict: 'cannot_tell', text: `${style}: the payments there are have too few different states` }
  const two = states.slice(0, 2)
  const honoured = await isHonoured(talk, style, two)
  if (honoured === null) return { label, verdict: 'cannot_tell', text: `${style}: no answer` }
  if (honoured) return { label, verdict: 'fits', text: `${style}: a filter of two states gives both and no other` }
  const other = style === 'comma' ? 'repeat' : 'comma'
  const text = `${style}: a filter of two states is not understood`
  if (await isHonoured(talk, other, two)) return { label, verdict: 'does_not_fit', text, set: `SERVICE_LIST_STYLE=${other}` }
  return { label, verdict: 'does_not_fit', text: `${text}, nor in the other style`, set: 'ask the service how it takes lists in a query' }
}

/** Checks the configured word for a signed agreement against a charge that contains one. */
function consentFinding(word: string, reads: readonly Read[]): Finding {
  const label = 'Signed consent'
  const detectedConsent = reads.map(consentIn).find((each) => each === 'signed' || each === 'signed_agreement')
  if (!detectedConsent) return { label, verdict: 'cannot_tell', text: `${word}: no charge with a signed agreement was seen` }
  if (detectedConsent === word) return { label, verdict: 'fits', text: `${word}: a charge says so too` }
  return {
    label,
    verdict: 'does_not_fit',
    text: `${word}: a charge says ${detectedConsent}`,
    set: `SERVICE_SIGNED_CONSENT=${detectedConsent}`,
  }
}

const settingOf = (environment: Environment, what: 'URL' | 'API_KEY' | 'WEBHOOK_SECRET'): string =>
  env().embedded ? `EMBEDDED_SANDBOX_${what}` : `SERVICE_${environment.toUpperCase()}_${what}`

function webhookFinding(environment: Environment): Finding {
  const label = 'Webhook secret'
  if (env().embedded) return { label, verdict: 'fits', text: 'none is needed with the embedded sandbox' }
  if (env().webhooks[environment].secrets.length > 0) return { label, verdict: 'fits', text: 'set and well-formed' }
  return { label, verdict: 'cannot_tell', text: `not set (${settingOf(environment, 'WEBHOOK_SECRET')})` }
}

const settingLabels = ['Account header', 'Account prefix', 'Capability path', 'List style', 'Amount unit', 'Signed consent']

/** Checks the settings. The account header comes first, because the other checks send it. */
async function settingFindings(talk: Conversation, seen: Awaited<ReturnType<typeof readOneOfEach>>): Promise<Finding[]> {
  const { accountHeader: header, accountPrefix: prefix, amountUnit, capabilityRequestsPath, listStyle, signedConsent } = env()
  if (talk.stopped && talk.reads.every(({ reading }) => reading === null)) {
    return settingLabels.map((label) => ({ label, verdict: 'cannot_tell', text: 'not tried: nothing could be read' }))
  }
  const form = { header, prefix }
  return [
    ...(await accountFindings(talk, form, seen)),
    await capabilityFinding(talk, capabilityRequestsPath, form, seen.accounts),
    await listFinding(talk, listStyle, seen.payments),
    unitFinding(amountUnit, talk.reads),
    consentFinding(signedConsent, talk.reads),
  ]
}

/**
 * Checks an environment's settings against its service, with reads only and in sequence. Never throws for a response of the service. From
 * responses, the report contains only names of fields, counts and times.
 */
export async function checkService(environment: Environment, ask: Ask): Promise<ServiceReport> {
  const service = env().services[environment]
  if (!service) throw new Error(`the ${environment} environment is not configured`)
  const [startedAt, begin] = [new Date(), performance.now()]
  const talk = new Conversation(ask)
  const sampleReads = await readOneOfEach(talk)
  const settings = await settingFindings(talk, sampleReads)
  const replies = talk.reads.map(({ reply }) => reply)
  const [first] = replies
  const keyFields = {
    key: service.apiKey,
    fingerprint: keyFingerprint(environment),
    environment,
    setting: settingOf(environment, 'API_KEY'),
  }
  const address = first ? [addressFinding(first, service.url, settingOf(environment, 'URL'))] : []
  return {
    environment,
    started_at: startedAt.toISOString(),
    took_ms: Math.round(performance.now() - begin),
    calls: talk.calls,
    stopped: talk.stopped,
    groups: [
      { title: 'Connection', findings: [...address, encryptionFinding(service.url), clockFinding(replies)] },
      { title: 'Key', findings: keyFindings({ ...keyFields, now: startedAt.getTime() }, talk.reads) },
      { title: 'Settings', findings: [...settings, webhookFinding(environment)] },
      { title: 'Operations', findings: operationFindings(talk) },
    ],
  }
}
