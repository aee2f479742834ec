import type { Locator, Page } from '@playwright/test'
import { recordPath } from '@/lib/routes'
import { getDecisionRegion, getTimelineList, openPayment } from './desk'
import { expect, test } from './fixtures'
import { chooseReason, getNoteField, getReasonField, reasonHeader } from './reason'
import type { MadePayment } from './sandbox'

const getChargeArticle = (page: Page): Locator => page.getByRole('article', { name: 'Charge' })
const getStatusMessage = (page: Page, title: RegExp) =>
  getDecisionRegion(page).getByRole('status').filter({ hasText: title })
const readCharge = async (page: Page, { id, account }: MadePayment) =>
  (
    (await (await page.request.get(`/api/sandbox/v1/charges/${id}?account=${account}`)).json()) as {
      data: Record<string, unknown>
    }
  ).data

test('an edit shows before and after, keeps other metadata, and is sent once', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const newCharge = await sandbox.makeCharge()
  const page = await signIn('operator')
  const headers = {
    origin: new URL((await page.goto(recordPath('sandbox', 'charges', newCharge.id)))?.url() ?? '')
      .origin,
  }
  const changedFields = {
    amount: 12_345,
    description: 'Rent',
    payment_date: String((await readCharge(page, newCharge)).payment_date),
    metadata: { order: 'A-1' },
  }
  const firstResponse = await page.request.put(
    `/api/sandbox/v1/charges/${newCharge.id}?account=${newCharge.account}`,
    {
      headers: {
        ...headers,
        ...reasonHeader,
        'idempotency-key': `pdk_${newCharge.id.replaceAll('-', '')}`,
      },
      data: changedFields,
    },
  )
  expect(firstResponse.status()).toBe(200)
  await openPayment(page, newCharge)
  await getDecisionRegion(page).getByRole('button', { name: 'Edit…' }).click()
  await expect(getDecisionRegion(page).getByLabel('Key 1')).toHaveValue('order')
  await getDecisionRegion(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(getDecisionRegion(page).getByText('Nothing has changed yet.')).toBeVisible()
  await getDecisionRegion(page).getByLabel('Amount', { exact: true }).fill('150')
  await getDecisionRegion(page).getByLabel('Description').fill('Rent, April')
  const changeList = getDecisionRegion(page).getByRole('list', { name: 'Changes' })
  await expect(changeList).toContainText(/Amount.*123\.45.*150\.00/)
  await expect(changeList).toContainText(/Description.*Rent.*Rent, April/)
  await getDecisionRegion(page).getByRole('button', { name: 'Save with $150.00' }).click()
  await expect(getReasonField(getDecisionRegion(page))).toHaveAccessibleDescription(
    'Choose a reason and add a note.',
  )
  await expect(getReasonField(getDecisionRegion(page))).toBeFocused()
  await chooseReason(getDecisionRegion(page), 'Amount corrected')
  await expect(getNoteField(getDecisionRegion(page))).toHaveValue(
    'The amount was entered incorrectly and has been corrected.',
  )
  await getDecisionRegion(page).getByRole('button', { name: 'Save with $150.00' }).dblclick()
  await expect(getStatusMessage(page, /^Charge saved/)).toBeVisible()
  await expect(
    getChargeArticle(page).getByRole('heading', { name: /Charge of \$150\.00/ }),
  ).toBeVisible()
  expect(await readCharge(page, newCharge)).toMatchObject({
    amount: '15000',
    description: 'Rent, April',
    metadata: { order: 'A-1' },
  })
  expect((await sandbox.journal(newCharge.id)).map(({ operation }) => operation)).toEqual([
    'charges.update',
    'charges.update',
  ])
  await expect(getTimelineList(page)).toContainText(
    'Amount corrected: The amount was entered incorrectly and has been corrected.',
  )
})

test('metadata that an edit would delete is listed before it is saved', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const newCharge = await sandbox.makeCharge()
  const page = await signIn('operator')
  await openPayment(page, newCharge)
  await getDecisionRegion(page).getByRole('button', { name: 'Edit…' }).click()
  await getDecisionRegion(page).getByRole('button', { name: 'Add a key' }).click()
  await getDecisionRegion(page).getByLabel('Key 1').fill('order')
  await getDecisionRegion(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(getDecisionRegion(page).getByText('Fix the marked metadata first.')).toBeVisible()
  await getDecisionRegion(page).getByLabel('Value 1').fill('A-2')
  await chooseReason(getDecisionRegion(page), 'Metadata updated')
  await getDecisionRegion(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(getStatusMessage(page, /^Charge saved/)).toBeVisible()
  await getDecisionRegion(page).getByRole('button', { name: 'Edit…' }).click()
  await getDecisionRegion(page).getByRole('button', { name: 'Remove order' }).click()
  await expect(getDecisionRegion(page).getByRole('list', { name: 'Changes' })).toContainText(
    'without order',
  )
  expect(await readCharge(page, newCharge)).toMatchObject({ metadata: { order: 'A-2' } })
})
