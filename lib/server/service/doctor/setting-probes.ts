import 'server-only'
import type { Environment } from '@/lib/operations/define'
import { paymentStatuses } from '@/lib/operations/enumerations'
import { type QueryListStyle, toQueryText } from '@/lib/operations/layout'
import { env } from '@/lib/server/config/env'
import { getIntegration } from '@/lib/server/config/integration'
import { getConfiguredHeaderFormat, toAccountHeader } from './account-header'
import {
  type CheckClient,
  type CheckReadResult,
  type CheckRequest,
  isSuccess,
  isTransient,
  toCheckRequest,
} from './check-client'
import { probeIntegration } from './integration-probe'
import {
  filterReads,
  findFirstRead,
  getSampleRows,
  listAccountIds,
  readConsentType,
  samplePageInput,
} from './operations'
import { type Probes, reportMatch, reportMismatch, reportUnknown } from './probe'

/** Known paths of capability requests (provider facts 0.3). */
const knownCapabilityPaths = [
  '/v1/accounts/capability_requests',
  '/v1/accounts/{account_id}/capability_requests',
]

function createCapabilityListCheck(
  pathTemplate: string,
  account: string,
  environment: Environment,
): CheckRequest {
  const path = pathTemplate.replace('{account_id}', encodeURIComponent(account))
  const checkRequest = {
    operation: 'capability_requests.list' as const,
    path,
    query: toQueryText({ page_number: 1, ...samplePageInput }),
  }
  return path === pathTemplate && getIntegration(environment) !== 'account'
    ? { ...checkRequest, account: toAccountHeader(getConfiguredHeaderFormat(), account) }
    : checkRequest
}

/**
 * Returns the states that occur in the payments, in a fixed order. Omits states that Paydesk does
 * not know, because no search can filter by them.
 */
function listSampledPaymentStatuses(payments: CheckReadResult | null): string[] {
  const statuses = new Set(getSampleRows(payments).map(({ status }) => status))
  return paymentStatuses.filter((state) => statuses.has(state))
}

/** True if the search returns all these states and no others. Null without a usable response. */
async function isListStyleUnderstood(
  client: CheckClient,
  style: QueryListStyle,
  states: readonly string[],
): Promise<boolean | null> {
  const stateSearchResult = await client.ask(
    toCheckRequest('payments.search', { ...samplePageInput, payment_status: states }, style),
  )
  return stateSearchResult && !isTransient(stateSearchResult.reply)
    ? listSampledPaymentStatuses(stateSearchResult).join() === states.join()
    : null
}

/** With fewer amounts, it may be a coincidence that all are whole numbers. */
const minAmountCount = 3

const amountOperations = ['payments.search', 'charges.get', 'payouts.get'] as const

/** Returns text, because the unit shows in the decimals: as numbers, 100.00 equals 100. */
function listAmounts(reads: readonly CheckReadResult[]): string[] {
  const paymentReadResults = amountOperations.flatMap((operation) => filterReads(reads, operation))
  const responseTexts = paymentReadResults.flatMap(({ reply }) =>
    isSuccess(reply) ? [reply.text] : [],
  )
  const amounts = responseTexts.flatMap((text) => [
    ...text.matchAll(/"amount"\s*:\s*"?(-?\d+(?:\.\d+)?)"?\s*[,}]/g),
  ])
  return [...new Set(amounts.map(([, amount = '']) => amount))]
}

const amountUnitTexts = {
  minor: 'all amounts are whole numbers',
  major: 'amounts are written with decimals',
}

/** The account header comes first, because the other probes send it. */
export const settingProbes: Probes = {
  'Account header': ({ account }) => account.header,
  'Prefix of account IDs': ({ account }) => account.prefix,
  'Kind of integration': probeIntegration,
  'API path of account-limit requests': async ({ talk, environment }) => {
    const path = env().capabilityRequestsPath
    const [account] = listAccountIds(talk.reads)
    if (!account) return reportUnknown(`${path}: there is no account to try it with`)
    const capabilityListResult = await talk.read(
      createCapabilityListCheck(path, account, environment),
    )
    if (!capabilityListResult || isTransient(capabilityListResult.reply))
      return reportUnknown(`${path}: no answer`)
    if (capabilityListResult.parsed) {
      const areRowsOfAccount = getSampleRows(capabilityListResult).every(
        ({ account_id = account }) => account_id.toLowerCase() === account,
      )
      if (areRowsOfAccount) return reportMatch(path)
      return reportMismatch(
        `${path}: answers with the requests of other accounts too`,
        'see to the account header first',
      )
    }
    for (const other of knownCapabilityPaths.filter((each) => each !== path)) {
      const otherPathResult = await talk.ask(createCapabilityListCheck(other, account, environment))
      if (otherPathResult?.parsed)
        return reportMismatch(`${path}: not there`, `SERVICE_CAPABILITY_REQUESTS_PATH=${other}`)
    }
    return reportMismatch(
      `${path}: not there, nor at the other known path`,
      'ask the service for the path',
    )
  },
  'Lists in requests': async ({ talk }) => {
    const style = env().listStyle
    const sampledStatuses = listSampledPaymentStatuses(findFirstRead(talk.reads, 'payments.search'))
    if (sampledStatuses.length < 3)
      return reportUnknown(`${style}: the payments there are have too few different states`)
    const twoStatuses = sampledStatuses.slice(0, 2)
    const isStyleUnderstood = await isListStyleUnderstood(talk, style, twoStatuses)
    if (isStyleUnderstood === null) return reportUnknown(`${style}: no answer`)
    if (isStyleUnderstood)
      return reportMatch(`${style}: a filter of two states gives both and no other`)
    const mismatchText = `${style}: a filter of two states is not understood`
    const otherStyle = style === 'comma' ? 'repeat' : 'comma'
    if (await isListStyleUnderstood(talk, otherStyle, twoStatuses))
      return reportMismatch(mismatchText, `SERVICE_LIST_STYLE=${otherStyle}`)
    return reportMismatch(
      `${mismatchText}, nor in the other style`,
      'ask the service how it takes lists in a query',
    )
  },
  // If at least half of the amounts have decimals, the service sends major units (dollars). If none
  // has, it sends minor units (cents).
  Amounts: ({ talk }) => {
    const unit = env().amountUnit
    const amounts = listAmounts(talk.reads)
    const decimalCount = amounts.filter((amount) => amount.includes('.')).length
    const isMixed = decimalCount > 0 && decimalCount * 2 < amounts.length
    if (amounts.length < minAmountCount || isMixed)
      return reportUnknown(`${unit}: too few amounts, or not written in one way`)
    const detectedUnit = decimalCount === 0 ? 'minor' : 'major'
    if (detectedUnit === unit) return reportMatch(`${unit}: ${amountUnitTexts[unit]}`)
    return reportMismatch(
      `${unit}: ${amountUnitTexts[detectedUnit]}; shown amounts would be wrong by a factor of 100`,
      `SERVICE_AMOUNT_UNIT=${detectedUnit}`,
    )
  },
  'Value for signed consent': ({ talk }) => {
    const configuredConsent = env().signedConsent
    const detectedConsent = filterReads(talk.reads, 'charges.get')
      .map(readConsentType)
      .find((each) => each === 'signed' || each === 'signed_agreement')
    if (!detectedConsent)
      return reportUnknown(`${configuredConsent}: no charge with a signed agreement was seen`)
    if (detectedConsent === configuredConsent)
      return reportMatch(`${configuredConsent}: a charge says so too`)
    return reportMismatch(
      `${configuredConsent}: a charge says ${detectedConsent}`,
      `SERVICE_SIGNED_CONSENT=${detectedConsent}`,
    )
  },
}
