import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { toApiRequestParts } from '@/lib/operations/http'
import { recordPath, serviceApiPath } from '@/lib/routes'
import { goTo } from './desk'
import { sendConfirmedRequest } from './person'
import { reasonHeader } from './reason'

export type MadeAccount = { id: string; name: string; account: string }

/**
 * Sends a write to Paydesk's API with the headers that its pages send, to create data for a test.
 * Pass `deskUrl` if `page` has not opened Paydesk yet.
 */
export async function sendWrite<T>(
  page: Page,
  method: 'POST' | 'PUT',
  path: string,
  data: unknown,
  { account = null, deskUrl = page.url() }: { account?: string | null; deskUrl?: string } = {},
): Promise<T> {
  const url = serviceApiPath('sandbox', path, '', account)
  const { origin } = new URL(deskUrl)
  const writeHeaders = {
    origin,
    'sec-fetch-site': 'same-origin',
    'idempotency-key': `pdk_${randomUUID().replaceAll('-', '')}`,
    ...reasonHeader,
  }
  const writeResponse = await sendConfirmedRequest(page.request, origin, (headers) =>
    page.request.fetch(url, { method, data, headers: { ...writeHeaders, ...headers } }),
  )
  const body = (await writeResponse.json()) as { data: T; error?: { detail: string } }
  expect(writeResponse.ok(), `${method} ${path}: ${body.error?.detail}`).toBe(true)
  return body.data
}

/** Creates an account for one test, with a complete profile and some metadata. */
export async function makeAccount(page: Page, deskUrl = page.url()): Promise<MadeAccount> {
  const organizationsResponse = await page.request.get(
    serviceApiPath('sandbox', '/organizations', 'page_size=1'),
  )
  const { data: organizations } = (await organizationsResponse.json()) as { data: { id: string }[] }
  const businessName = `Harbour ${randomUUID().slice(0, 8)}`
  const accountInput = {
    organization_id: organizations[0]?.id,
    account_type: 'business',
    access_level: 'standard',
    business_profile: {
      name: businessName,
      website: 'https://harbour.example.com',
      legal_name: `${businessName}, LLC`,
      tax_id: '123456789',
      phone: '+15125550100',
      description: 'Sells books',
      use_case: 'Pays its authors',
      address: {
        line1: '1 Quay Street',
        city: 'Austin',
        state: 'TX',
        postal_code: '78701',
        country: 'US',
      },
      industry: { mcc: '5942' },
      support_channels: { email: 'help@harbour.example.com' },
    },
    metadata: { tier: 'gold', region: 'south' },
  }
  const newAccount = await sendWrite<{ id: string }>(page, 'POST', '/accounts', accountInput, {
    deskUrl,
  })
  return { id: newAccount.id, name: businessName, account: `acct_${newAccount.id}` }
}

/** Adds a representative who controls the account and is its primary contact. */
export const addRepresentative = (
  page: Page,
  { id }: MadeAccount,
  deskUrl = page.url(),
  ownershipPercent?: number,
) => {
  const representativeFields = {
    account_id: id,
    first_name: 'Nadia',
    last_name: 'Haddad',
    dob: '1984-03-09',
    ssn_last4: '4321',
    email: 'nadia.haddad@example.com',
    mobile_number: '+15125550144',
    relationship: {
      primary: true,
      control: true,
      owner: ownershipPercent !== undefined,
      percent_ownership: ownershipPercent,
    },
  }
  return sendWrite(page, 'POST', '/representatives', representativeFields, { deskUrl })
}

export const linkBankAccount = (page: Page, { id, name }: MadeAccount, deskUrl = page.url()) => {
  const bank_account = {
    account_holder: name,
    routing_number: '021000021',
    account_number: '1234567890',
  }
  return sendWrite<{ id: string }>(
    page,
    'POST',
    '/linked_bank_accounts',
    { account_id: id, bank_account },
    { deskUrl },
  )
}

export async function openAccount(page: Page, { id }: { id: string }): Promise<void> {
  await goTo(page, recordPath('sandbox', 'accounts', id))
  await expect(page.getByRole('article', { name: 'Account' })).toBeVisible()
}

export const getChecklistItem = (page: Page, text: RegExp) =>
  page.getByRole('list', { name: 'Checklist' }).getByRole('listitem').filter({ hasText: text })

/**
 * Decides a capability request through the sandbox's control API. In reality the compliance team of
 * the service decides it.
 */
export async function decideCapabilityRequest(
  sandboxUrl: string,
  id: string | undefined,
  status: string,
): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ kind: 'capability_request', id, status })
  const decisionResponse = await fetch(`${sandboxUrl}/sandbox/compliance`, {
    method: 'POST',
    headers,
    body,
  })
  expect(decisionResponse.ok, await decisionResponse.text()).toBe(true)
}

/** Returns the id of the service's capability request that belongs to the newest limit request. */
export async function findCapabilityRequestId(
  page: Page,
  { account }: MadeAccount,
): Promise<string | undefined> {
  const limitRequestsResponse = await page.request.get(
    toApiRequestParts('limit_requests.list', {}, { environment: 'sandbox', account }).url,
  )
  const { data } = (await limitRequestsResponse.json()) as {
    data: { capability: { id: string } | null }[]
  }
  return data[0]?.capability?.id
}
