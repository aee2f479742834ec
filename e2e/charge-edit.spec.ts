import type { Locator, Page } from '@playwright/test'
import { recordPath } from '@/lib/routes'
import { decisionOf, openPayment, timelineOf } from './desk'
import { expect, test } from './fixtures'
import { chooseReason, keptReason, noteOf, reasonOf } from './reason'
import type { MadePayment } from './sandbox'

const charge = (page: Page): Locator => page.getByRole('article', { name: 'Charge' })
const statusMessage = (page: Page, title: RegExp) => decisionOf(page).getByRole('status').filter({ hasText: title })
const read = async (page: Page, { id, account }: MadePayment) =>
  ((await (await page.request.get(`/api/sandbox/v1/charges/${id}?account=${account}`)).json()) as { data: Record<string, unknown> }).data

test('an edit shows before and after, keeps other metadata, and is sent once', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const newCharge = await sandbox.makeCharge()
  const page = await signIn('operator')
  const headers = { origin: new URL((await page.goto(recordPath('sandbox', 'charges', newCharge.id)))?.url() ?? '').origin }
  const set = {
    amount: 12_345,
    description: 'Rent',
    payment_date: String((await read(page, newCharge)).payment_date),
    metadata: { order: 'A-1' },
  }
  const first = await page.request.put(`/api/sandbox/v1/charges/${newCharge.id}?account=${newCharge.account}`, {
    headers: { ...headers, ...keptReason, 'idempotency-key': `pdk_${newCharge.id.replaceAll('-', '')}` },
    data: set,
  })
  expect(first.status()).toBe(200)
  await openPayment(page, newCharge)
  await decisionOf(page).getByRole('button', { name: 'Edit…' }).click()
  await expect(decisionOf(page).getByLabel('Key 1')).toHaveValue('order')
  await decisionOf(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(decisionOf(page).getByText('Nothing has changed yet.')).toBeVisible()
  await decisionOf(page).getByLabel('Amount', { exact: true }).fill('150')
  await decisionOf(page).getByLabel('Description').fill('Rent, April')
  const changes = decisionOf(page).getByRole('list', { name: 'Changes' })
  await expect(changes).toContainText(/Amount.*123\.45.*150\.00/)
  await expect(changes).toContainText(/Description.*Rent.*Rent, April/)
  await decisionOf(page).getByRole('button', { name: 'Save with $150.00' }).click()
  await expect(reasonOf(decisionOf(page))).toHaveAccessibleDescription('Choose a reason and add a note')
  await expect(reasonOf(decisionOf(page))).toBeFocused()
  await chooseReason(decisionOf(page), 'Amount corrected')
  await expect(noteOf(decisionOf(page))).toHaveValue('The amount was entered incorrectly and has been corrected.')
  await decisionOf(page).getByRole('button', { name: 'Save with $150.00' }).dblclick()
  await expect(statusMessage(page, /^Charge saved/)).toBeVisible()
  await expect(charge(page).getByRole('heading', { name: /Charge of \$150\.00/ })).toBeVisible()
  expect(await read(page, newCharge)).toMatchObject({ amount: '15000', description: 'Rent, April', metadata: { order: 'A-1' } })
  expect((await sandbox.journal(newCharge.id)).map(({ operation }) => operation)).toEqual(['charges.update', 'charges.update'])
  await expect(timelineOf(page)).toContainText('Amount corrected: The amount was entered incorrectly and has been corrected.')
})

test('metadata that an edit would delete is listed before it is saved', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const newCharge = await sandbox.makeCharge()
  const page = await signIn('operator')
  await openPayment(page, newCharge)
  await decisionOf(page).getByRole('button', { name: 'Edit…' }).click()
  await decisionOf(page).getByRole('button', { name: 'Add a key' }).click()
  await decisionOf(page).getByLabel('Key 1').fill('order')
  await decisionOf(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(decisionOf(page).getByText('Fix the marked metadata first.')).toBeVisible()
  await decisionOf(page).getByLabel('Value 1').fill('A-2')
  await chooseReason(decisionOf(page), 'Metadata updated')
  await decisionOf(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(statusMessage(page, /^Charge saved/)).toBeVisible()
  await decisionOf(page).getByRole('button', { name: 'Edit…' }).click()
  await decisionOf(page).getByRole('button', { name: 'Remove order' }).click()
  await expect(decisionOf(page).getByRole('list', { name: 'Changes' })).toContainText('without order')
  expect(await read(page, newCharge)).toMatchObject({ metadata: { order: 'A-2' } })
})
