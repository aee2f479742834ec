import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import canonicalize from 'canonicalize'
import { deleteCustomerPath, deletionsPath } from '@/lib/routes'
import { giveReason, type MadeCustomer, makeCustomer, openCustomer } from './customer'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { expectSoundAt } from './look'

const area = (page: Page) => page.getByRole('region', { name: 'Deletion' })

/** Asks for a deletion as a person does. */
async function ask(page: Page, customer: MadeCustomer): Promise<void> {
  await goTo(page, deleteCustomerPath('sandbox', customer.id, { account: customer.account }))
  await page.getByRole('button', { name: 'Ask for deletion' }).click()
  await expect(page.getByText('choose who asks')).toBeVisible()
  await page.getByLabel('Who asks').selectOption({ label: 'The person it is about' })
  await page.getByLabel('Legal ground').selectOption({ label: 'CCPA 1798.105: right to delete' })
  await page.getByLabel('How the identity was checked').selectOption({ label: 'Asked while signed in to our own product' })
  await page.getByLabel('Ticket').fill('Tamsin wrote us')
  await page.getByRole('button', { name: 'Ask for deletion' }).click()
  await expect(page.getByText('must be a reference like PRIV-1234')).toBeVisible()
  await page.getByLabel('Ticket').fill('PRIV-77')
  await page.getByLabel('Due on').fill('2027-01-31')
  await page.getByRole('button', { name: 'Ask for deletion' }).click()
  await expect(page.getByRole('button', { name: 'Take the request back' })).toBeVisible()
}

test('a deletion goes from request to certificate, and its hash can be checked', async ({ signIn, sandbox, deskUrl }) => {
  const operator = await signIn('operator')
  const customer = await makeCustomer(operator, deskUrl)
  await openCustomer(operator, customer)
  await operator.getByRole('link', { name: 'Ask for deletion…' }).click()
  await ask(operator, customer)
  const closed = area(operator).getByRole('button', { name: 'Delete for ever…' })
  await expect(closed).toHaveAccessibleDescription('Only a reviewer or an admin can delete a customer.')

  const page = await signIn('reviewer')
  await goTo(page, deletionsPath('sandbox'))
  await page.getByRole('link', { name: customer.name }).click()
  await expect(page.getByText('Nothing stands in the way')).toBeVisible()
  await area(page).getByRole('button', { name: 'Delete for ever…' }).click()
  await expect(area(page)).toContainText('This cannot be taken back, by nobody')
  await giveReason(area(page), 'The person asked for it')
  const send = area(page).getByRole('button', { name: `Delete ${customer.name} for ever` })
  await send.click()
  await expect(area(page).getByText('does not match yet')).toBeVisible()
  await expectSoundAt(page, 'narrow')
  await area(page).getByLabel('Type the name of the customer').fill(customer.name)
  await send.click()
  await expect(page.getByText('Deleted for ever')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open the certificate' })).toBeFocused()
  expect((await sandbox.journal(customer.id)).map(({ operation }) => operation)).toEqual(['customers.create', 'customers.delete'])

  await page.getByRole('link', { name: 'Open the certificate' }).click()
  await expect(page.getByRole('heading', { name: 'Certificate of deletion' })).toBeVisible()
  expect(await (await page.request.get(page.url())).text()).not.toContain(customer.name)
  await expectSoundAt(page, 'wide')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download JSON' }).click()
  const issued = JSON.parse(await readFile(await (await download).path(), 'utf8')) as { certificate: unknown; sha256: string }
  expect(
    createHash('sha256')
      .update(canonicalize(issued.certificate) ?? '')
      .digest('hex'),
  ).toBe(issued.sha256)
  await expect(page.getByText(issued.sha256)).toBeVisible()
})

test('what waits for the customer blocks the deletion, with a link to it', async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('admin')
  const customer = await makeCustomer(page, deskUrl)
  const payout = await sandbox.makePayout({ account_id: customer.account.slice(5), customer_id: customer.id })
  await ask(page, customer)
  const blockers = page.getByRole('list', { name: 'Blockers' })
  await expect(blockers).toContainText('1 payment waits or is on its way')
  await expect(area(page).getByRole('button', { name: 'Delete for ever…' })).toHaveAccessibleDescription(
    'Something stands in the way, see above.',
  )
  await blockers.getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`/payouts/${payout.id}`))
  expect((await sandbox.journal(customer.id)).map(({ operation }) => operation)).toEqual(['customers.create'])
})

test('a request can be taken back', async ({ signIn, deskUrl }) => {
  const page = await signIn('operator')
  const customer = await makeCustomer(page, deskUrl)
  await ask(page, customer)
  await page.getByRole('button', { name: 'Take the request back' }).click()
  await expect(page.getByRole('button', { name: 'Ask for deletion' })).toBeVisible()
  await goTo(page, deletionsPath('sandbox', { tab: 'withdrawn' }))
  await expect(page.getByRole('row').filter({ hasText: customer.id.slice(-6) })).toHaveCount(1)
})
