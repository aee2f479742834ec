import type { Page } from '@playwright/test'
import { listPath, webhookPath } from '@/lib/routes'
import { makeCustomer } from './customer'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { expectPageAccessible } from './look'
import { getTableRows } from './lookup'
import { waitForWebhook } from './webhook'

const openWebhookList = (page: Page, search: Record<string, string> = {}) =>
  goTo(page, listPath('sandbox', 'webhooks', search))
const getLabeledValue = (page: Page, name: string) =>
  page.getByText(name, { exact: true }).locator('+ dd')

test('an admin reads the webhooks of a customer with their stored data and processes one again', {
  tag: '@full',
}, async ({ signIn, deskUrl }) => {
  const page = await signIn('admin')
  const { id } = await makeCustomer(page, deskUrl)
  await waitForWebhook(page, `customers/${id}`)
  await goTo(page, '/')
  await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click()
  await expect(page).toHaveURL(listPath('sandbox', 'webhooks'))
  await page.getByRole('searchbox').fill(id)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(id))
  await expect(getTableRows(page).first()).toContainText('Processed')
  await expect(
    getTableRows(page)
      .first()
      .getByRole('link', { name: `customer …${id.slice(-6)}` }),
  ).toBeVisible()
  await expectPageAccessible(page)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')

  const mainRegion = page.getByRole('main')
  await expect(mainRegion.getByRole('heading', { level: 1 })).toHaveText(
    /^Customer (created|changed)$/,
  )
  await expect(getLabeledValue(page, 'Signature')).toHaveText(
    'verified: sent by the payments service',
  )
  await mainRegion.getByRole('button', { name: 'Show JSON' }).click()
  await expect(mainRegion.getByLabel('The payload as Paydesk stores it')).toHaveValue(
    new RegExp(`"id": "${id}"`),
  )
  const processedTimeBefore =
    (await getLabeledValue(page, 'Processed at').getByRole('time').getAttribute('datetime')) ?? ''
  await mainRegion.getByRole('button', { name: 'Process again' }).click()
  await expect(getLabeledValue(page, 'Processed at').getByRole('time')).not.toHaveAttribute(
    'datetime',
    processedTimeBefore,
  )
  await expect(mainRegion.getByText('Processed', { exact: true })).toBeVisible()
  await mainRegion.getByRole('link', { name: /^customer …/ }).click()
  await expect(page).toHaveURL(new RegExp(`/customers/${id}`))
})

test('rejected webhooks are counted by cause and day, and an unknown webhook has no page', {
  tag: '@full',
}, async ({ signIn, deskUrl }) => {
  const page = await signIn('admin')
  const refusedResponse = await page.request.post(`${deskUrl}/api/webhooks/sandbox`, {
    data: { event_type: 'payout.event.v1' },
  })
  expect(refusedResponse.status()).toBe(400)
  await expect(async () => {
    await openWebhookList(page, { tab: 'refused' })
    await expect(getTableRows(page).filter({ hasText: 'Malformed' }).first()).toContainText(
      /[1-9]/,
      {
        timeout: 1000,
      },
    )
  }).toPass()
  await expectPageAccessible(page)
  await openWebhookList(page, { tab: 'refused', kind: 'payouts' })
  await expect(
    page.getByText('Nothing matches among refusal counts “Refused by Paydesk”'),
  ).toBeVisible()
  await openWebhookList(page, { target: 'nothing' })
  await expect(page.getByText('is not a valid filter; showing all.')).toBeVisible()
  await goTo(page, webhookPath('sandbox', 'msg_nothing'))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('not')
})

test('a non-admin has no link to the webhooks and sees that they are unavailable', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('reviewer')
  for (const path of [listPath('sandbox', 'webhooks'), webhookPath('sandbox', 'msg_nothing')]) {
    await goTo(page, path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'You don’t have access to webhooks',
    )
  }
  await expect(page.getByRole('navigation').getByText('Webhooks')).toHaveCount(0)
})

test('the export of webhooks has as many rows as the list counts', { tag: '@full' }, async ({
  signIn,
  deskUrl,
}) => {
  const page = await signIn('admin')
  const { id } = await makeCustomer(page, deskUrl)
  await waitForWebhook(page, `customers/${id}`)
  await openWebhookList(page)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const downloadEvent = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Export [\d,]+ / }).click()
  expect((await downloadEvent).suggestedFilename()).toContain('webhooks-sandbox-')
  await expect(page.getByText(/ exported[.;]/)).toBeVisible()
})
