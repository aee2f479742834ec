import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { recordPath, serviceApiPath } from '@/lib/routes'
import { makeAccount } from './accounts'
import { goTo } from './desk'

/**
 * A customer that only one test uses. `account` is the id of its account, with the prefix `acct_`
 * as in URLs.
 */
export type MadeCustomer = { id: string; name: string; email: string; account: string }

type CustomerOverrides = {
  outcome?: 'verified' | 'review' | 'rejected'
  metadata?: Record<string, string>
  account?: string
  name?: string
}

/**
 * Returns the id of the platform's first active account, with the prefix `acct_`. Its settings
 * allow reveals of masked data.
 */
async function findFirstAccountId(page: Page): Promise<string> {
  const accountsResponse = await page.request.get(
    serviceApiPath('sandbox', '/accounts', 'status=active'),
  )
  return `acct_${((await accountsResponse.json()) as { data: { id: string }[] }).data[0]?.id}`
}

/**
 * Creates a customer with the same request as the form, by default in the platform's first active
 * account. The person who is signed in on the page must be allowed to create customers.
 */
export async function makeCustomer(
  makerPage: Page,
  deskUrl: string,
  {
    outcome = 'verified',
    metadata = {},
    account: requestedAccount,
    name: baseName = 'Tamsin Quillfeather',
  }: CustomerOverrides = {},
): Promise<MadeCustomer> {
  const uniqueTag = randomUUID().slice(0, 8)
  const account = requestedAccount ?? (await findFirstAccountId(makerPage))
  const [name, email] = [`${baseName} ${uniqueTag}`, `tamsin.${uniqueTag}@private.example`]
  const customerResponse = await makerPage.request.post(
    serviceApiPath('sandbox', '/customers', '', account),
    {
      headers: { origin: deskUrl, 'idempotency-key': `pdk_${randomUUID().replaceAll('-', '')}` },
      data: {
        ...{
          name,
          email,
          phone: '+15125550123',
          type: 'individual',
          device: { ip_address: '198.51.100.23' },
          metadata,
        },
        compliance_profile: { ssn: '123-45-6789', dob: '1980-02-28' },
        config: { sandbox_outcome: outcome },
      },
    },
  )
  expect(customerResponse.status(), await customerResponse.text()).toBe(201)
  const { data } = (await customerResponse.json()) as { data: { id: string } }
  return { id: data.id, name, email, account }
}

/**
 * Creates an account for one test, with a verified customer. The person who is signed in on the
 * page must be allowed to create both.
 */
export async function makeAccountWithCustomer(
  makerPage: Page,
  deskUrl: string,
): Promise<{ id: string; name: string; account: string; customer: MadeCustomer }> {
  const newAccount = await makeAccount(makerPage, deskUrl)
  return {
    ...newAccount,
    customer: await makeCustomer(makerPage, deskUrl, { account: newAccount.account }),
  }
}

export async function openCustomer(
  page: Page,
  { id, account }: Pick<MadeCustomer, 'id' | 'account'>,
): Promise<void> {
  await goTo(page, recordPath('sandbox', 'customers', id, { account }))
  await expect(page.getByRole('list', { name: 'Checks' })).toBeVisible()
}

export async function fillReason(area: Locator, label: string): Promise<void> {
  await area.getByLabel('Reason', { exact: true }).selectOption({ label })
  for (const box of await area.getByRole('checkbox').all()) await box.check()
}
