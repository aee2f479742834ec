import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { recordPath, serviceApiPath } from '@/lib/routes'
import { goTo } from './desk'

/** A customer nobody else touches; `account` as a URL names it. */
export type MadeCustomer = { id: string; name: string; email: string; account: string }

type Wish = { outcome?: 'verified' | 'review' | 'rejected'; metadata?: Record<string, string> }

/** Makes a customer as the form does, in the platform's first active account, whose settings let its data be read. `maker` may create customers. */
export async function makeCustomer(
  maker: Page,
  deskUrl: string,
  { outcome = 'verified', metadata = {} }: Wish = {},
): Promise<MadeCustomer> {
  const tag = randomUUID().slice(0, 8)
  const accounts = await maker.request.get(serviceApiPath('sandbox', '/accounts', 'status=active'))
  const account = `acct_${((await accounts.json()) as { data: { id: string }[] }).data[0]?.id}`
  const [name, email] = [`Tamsin Quillfeather ${tag}`, `tamsin.${tag}@private.example`]
  const answer = await maker.request.post(serviceApiPath('sandbox', '/customers', '', account), {
    headers: { origin: deskUrl, 'idempotency-key': `pdk_${randomUUID().replaceAll('-', '')}` },
    data: {
      ...{ name, email, phone: '+15125550123', type: 'individual', device: { ip_address: '198.51.100.23' }, metadata },
      compliance_profile: { ssn: '123-45-6789', dob: '1980-02-28' },
      config: { sandbox_outcome: outcome },
    },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  const { data } = (await answer.json()) as { data: { id: string } }
  return { id: data.id, name, email, account }
}

/** A customer's own page, with its evidence read. */
export async function openCustomer(page: Page, { id, account }: Pick<MadeCustomer, 'id' | 'account'>): Promise<void> {
  await goTo(page, recordPath('sandbox', 'customers', id, { account }))
  await expect(page.getByRole('list', { name: 'Modules' })).toBeVisible()
}

/** Fills the reason and ticks every line of the checklist. */
export async function giveReason(area: Locator, label: string): Promise<void> {
  await area.getByLabel('Reason', { exact: true }).selectOption({ label })
  for (const box of await area.getByRole('checkbox').all()) await box.check()
}
