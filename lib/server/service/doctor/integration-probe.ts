import 'server-only'
import type { Integration } from '@/lib/operations/integration'
import { getIntegration } from '@/lib/server/config/integration'
import { getConfiguredHeaderFormat, getTotalCount, toAccountHeader } from './account-header'
import { type CheckClient, toCheckRequest } from './check-client'
import { findFirstRead, listAccountIds, samplePageInput } from './operations'
import {
  type ProbeContext,
  type ProbeResult,
  reportMatch,
  reportMismatch,
  reportUnknown,
} from './probe'

type HeaderEffect = 'narrows' | 'no_effect' | 'refused'

/** Null without an answer that tells. Compares a list with the header with that without it. */
async function findHeaderEffect(
  client: CheckClient,
  operation: 'customers.list' | 'payments.search',
  account: string,
): Promise<HeaderEffect | null> {
  const listRequest = toCheckRequest(operation, samplePageInput)
  const header = toAccountHeader(getConfiguredHeaderFormat(), account)
  const listResult = listRequest && (await client.ask({ ...listRequest, account: header }))
  if (listResult?.parsed) {
    const wholeList = findFirstRead(client.reads, operation)?.parsed
    const isShorter = wholeList && getTotalCount(listResult.parsed) < getTotalCount(wholeList)
    return isShorter ? 'narrows' : 'no_effect'
  }
  return listResult?.reply.kind === 'answer' && [400, 422].includes(listResult.reply.status)
    ? 'refused'
    : null
}

type DetectedIntegration = { integration: Integration; isCertain: boolean }

/**
 * A SaaS platform sends the account header for customers and payments, a marketplace for payments
 * only, a direct account never. Null if the answers fit none.
 */
async function detectIntegration(
  client: CheckClient,
  account: string,
): Promise<DetectedIntegration | null> {
  const paymentsEffect = await findHeaderEffect(client, 'payments.search', account)
  const customersEffect = await findHeaderEffect(client, 'customers.list', account)
  if (paymentsEffect === null || customersEffect === null) return null
  // A service that ignores a header looks like one that takes it, unless the header narrows a list.
  if (customersEffect !== 'refused')
    return paymentsEffect === 'refused'
      ? null
      : { integration: 'saas', isCertain: customersEffect === 'narrows' }
  return { integration: paymentsEffect === 'refused' ? 'account' : 'marketplace', isCertain: true }
}

const observedTexts: Readonly<Record<Integration, string>> = {
  saas: 'the service takes the account header for customers and payments',
  marketplace: 'the service takes the account header for payments, but not for customers',
  account: 'the service takes no account header',
}

export async function probeIntegration({ talk, environment }: ProbeContext): Promise<ProbeResult> {
  const integration = getIntegration(environment)
  const [account] = listAccountIds(talk.reads)
  if (!account) return reportUnknown(`${integration}: there is no account to try it with`)
  const detected = await detectIntegration(talk, account)
  if (detected === null) return reportUnknown(`${integration}: the answers do not tell`)
  const observedText = `${integration}: ${observedTexts[detected.integration]}`
  if (detected.integration === integration) return reportMatch(observedText)
  if (!detected.isCertain) return reportUnknown(`${observedText}, or ignores it`)
  return reportMismatch(
    observedText,
    `SERVICE_${environment.toUpperCase()}_INTEGRATION=${detected.integration}`,
  )
}
