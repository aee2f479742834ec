import 'server-only'
import { paymentStatuses } from '@/lib/operations/enumerations'
import { type ListStyle, toQuery } from '@/lib/operations/layout'
import { env } from '@/lib/server/config/env'
import { accountIn, configuredForm } from './account-header'
import { type Conversation, isPassing, isSuccess, type Question, questionOf, type Read } from './conversation'
import { accountIds, consentIn, firstRead, readsOf, rowsIn, sample } from './operations'
import { cannotTell, match, mismatch, type Probes } from './probe'

/** Known paths of capability requests (provider facts 0.3). */
const knownPaths = ['/v1/accounts/capability_requests', '/v1/accounts/{account_id}/capability_requests']

/** Returns the read of one account's capability requests. If the path does not contain the account, the header does. */
function capabilityQuestion(template: string, account: string): Question {
  const path = template.replace('{account_id}', encodeURIComponent(account))
  const question = { operation: 'capability_requests.list' as const, path, query: toQuery({ page_number: 1, ...sample }) }
  return path === template ? { ...question, account: accountIn(configuredForm(), account) } : question
}

/** Returns the states of these payments that Paydesk knows. An unknown state shows nothing about a filter. */
function statesIn(payments: Read | null): string[] {
  const statuses = new Set(rowsIn(payments).map(({ status }) => status))
  return paymentStatuses.filter((state) => statuses.has(state))
}

/** True if a search with a list of states returns payments of all these states and of no others; null if there was no usable response. */
async function isUnderstood(talk: Conversation, style: ListStyle, states: readonly string[]): Promise<boolean | null> {
  const read = await talk.ask(questionOf('payments.search', { ...sample, payment_status: states }, style))
  return read && !isPassing(read.reply) ? statesIn(read).join() === states.join() : null
}

/** Minimum number of amounts that decide: a few whole numbers may be a coincidence. */
const enoughAmounts = 3

const amountReads = ['payments.search', 'charges.get', 'payouts.get'] as const

/** Returns the distinct amounts of payments as text: as numbers, 100.00 and 100 would be equal. */
function amountsIn(reads: readonly Read[]): string[] {
  const paymentReads = amountReads.flatMap((operation) => readsOf(reads, operation))
  const texts = paymentReads.flatMap(({ reply }) => (isSuccess(reply) ? [reply.text] : []))
  const amounts = texts.flatMap((text) => [...text.matchAll(/"amount"\s*:\s*"?(-?\d+(?:\.\d+)?)"?\s*[,}]/g)])
  return [...new Set(amounts.map(([, amount = '']) => amount))]
}

const amountForms = { minor: 'all amounts are whole numbers', major: 'amounts are written with decimals' }

/** Probes of the settings that responses can confirm. The account header comes first, because the other probes send it. */
export const settingProbes: Probes = {
  'Account header': ({ account }) => account.header,
  'Account prefix': ({ account }) => account.prefix,
  'Capability path': async ({ talk }) => {
    const path = env().capabilityRequestsPath
    const [account] = accountIds(talk.reads)
    if (!account) return cannotTell(`${path}: there is no account to try it with`)
    const read = await talk.read(capabilityQuestion(path, account))
    if (!read || isPassing(read.reply)) return cannotTell(`${path}: no answer`)
    if (read.parsed) {
      const isOwn = rowsIn(read).every(({ account_id = account }) => account_id.toLowerCase() === account)
      if (isOwn) return match(path)
      return mismatch(`${path}: answers with the requests of other accounts too`, 'see to the account header first')
    }
    for (const other of knownPaths.filter((each) => each !== path)) {
      const otherRead = await talk.ask(capabilityQuestion(other, account))
      if (otherRead?.parsed) return mismatch(`${path}: not there`, `SERVICE_CAPABILITY_REQUESTS_PATH=${other}`)
    }
    return mismatch(`${path}: not there, nor at the other known path`, 'ask the service for the path')
  },
  'List style': async ({ talk }) => {
    const style = env().listStyle
    const states = statesIn(firstRead(talk.reads, 'payments.search'))
    if (states.length < 3) return cannotTell(`${style}: the payments there are have too few different states`)
    const two = states.slice(0, 2)
    const isStyleUnderstood = await isUnderstood(talk, style, two)
    if (isStyleUnderstood === null) return cannotTell(`${style}: no answer`)
    if (isStyleUnderstood) return match(`${style}: a filter of two states gives both and no other`)
    const text = `${style}: a filter of two states is not understood`
    const other = style === 'comma' ? 'repeat' : 'comma'
    if (await isUnderstood(talk, other, two)) return mismatch(text, `SERVICE_LIST_STYLE=${other}`)
    return mismatch(`${text}, nor in the other style`, 'ask the service how it takes lists in a query')
  },
  // If at least half of the amounts have decimals, they are in major units; if none has, in minor units.
  'Amount unit': ({ talk }) => {
    const unit = env().amountUnit
    const amounts = amountsIn(talk.reads)
    const withDecimals = amounts.filter((amount) => amount.includes('.')).length
    const isMixed = withDecimals > 0 && withDecimals * 2 < amounts.length
    if (amounts.length < enoughAmounts || isMixed) return cannotTell(`${unit}: too few amounts, or not written in one way`)
    const detected = withDecimals === 0 ? 'minor' : 'major'
    if (detected === unit) return match(`${unit}: ${amountForms[unit]}`)
    return mismatch(`${unit}: ${amountForms[detected]}; shown amounts would be wrong by a factor of 100`, `SERVICE_AMOUNT_UNIT=${detected}`)
  },
  'Signed consent': ({ talk }) => {
    const word = env().signedConsent
    const detected = readsOf(talk.reads, 'charges.get')
      .map(consentIn)
      .find((each) => each === 'signed' || each === 'signed_agreement')
    if (!detected) return cannotTell(`${word}: no charge with a signed agreement was seen`)
    if (detected === word) return match(`${word}: a charge says so too`)
    return mismatch(`${word}: a charge says ${detected}`, `SERVICE_SIGNED_CONSENT=${detected}`)
  },
}
