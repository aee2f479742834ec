import type { Page } from '@playwright/test'
import {
  connectBankAccountPath,
  homePath,
  listPath,
  newRecordPath,
  recordPath,
  signInPath,
} from '@/lib/routes'
import { makeAccountWithCustomer } from './customer'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import {
  createCustomerWithPaidPayout,
  fetchServiceData,
  getConnectedMessage,
  readPaykeyId,
  signInAtBank,
} from './paykey-desk'
import { waitForHydration } from './wait-for-hydration'

const readContentPolicy = async (page: Page, path: string) =>
  (await page.request.get(path)).headers()['content-security-policy']

test('only the connect page may frame the provider’s page', { tag: '@full' }, async ({
  signIn,
  sandboxUrl,
}) => {
  const page = await signIn('operator')
  expect(await readContentPolicy(page, connectBankAccountPath('sandbox'))).toContain(
    `frame-src 'self' ${sandboxUrl};`,
  )
  for (const path of [
    listPath('sandbox', 'paykeys'),
    homePath('sandbox'),
    signInPath(),
    `${connectBankAccountPath('sandbox')}/more`,
  ]) {
    expect(await readContentPolicy(page, path)).toContain("frame-src 'self';")
  }
})

test('the provider’s page also opens after a navigation within Paydesk', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('operator')
  const { customer, account } = await createCustomerWithPaidPayout(page, sandbox)
  await goTo(page, recordPath('sandbox', 'customers', customer, { account }))
  // The link must load a new document. After a client-side navigation, the content security policy
  // of the previous page would still apply and block the frame.
  const pageLoadPromise = page.waitForEvent('domcontentloaded')
  await page.getByRole('link', { name: 'Connect one…' }).first().click()
  await pageLoadPromise
  await expect(page).toHaveURL(new RegExp(connectBankAccountPath('sandbox')))
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Open the bank connection' }).click()
  await expect(
    page
      .frameLocator('iframe[title="Bank connection"]')
      .getByRole('heading', { name: 'Choose your bank' }),
  ).toBeVisible()
})

test('a customer is found by name within an account, also by keyboard', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('operator')
  const { name, account, customer } = await createCustomerWithPaidPayout(page, sandbox)
  await goTo(page, newRecordPath('sandbox', 'paykeys'))
  await expect(page).toHaveURL(/\/sandbox\/connect/)
  await page.getByLabel('Account', { exact: true }).selectOption(account)
  await page.getByLabel(/^Customer of/).fill(name)
  await expect(page.getByText(/^\d+ customers?\.$/)).toBeVisible()
  // Waits for the options, because the arrow keys work only after the script of the list has
  // loaded.
  await expect(page.getByRole('option', { name }).first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/customer=[0-9a-f-]{36}/)
  await expect(page.getByRole('link', { name: 'Hosted widget' })).toBeVisible()
  expect(customer).toMatch(/^[0-9a-f-]{36}$/)
})

test('during a search the earlier customers can still be chosen, and the highlight stays', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('operator')
  const { account, customer } = await makeAccountWithCustomer(page, deskUrl)
  await goTo(page, connectBankAccountPath('sandbox', { account }))
  const customerOption = page.getByRole('option', { name: customer.name })
  await page.getByRole('combobox', { name: /^Customer of/ }).click()
  await expect(customerOption).toBeVisible()
  await sandbox.fault({
    operation: 'customers.list',
    match: customer.name,
    kind: 'delay',
    ms: 60_000,
  })
  await page.getByLabel(/^Customer of/).fill(customer.name)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText('Searching…')).toBeVisible()
  await expect(customerOption).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`customer=${customer.id}`))
})

test('a bank account is linked on the hosted page, and the paykey has the service’s data', async ({
  signIn,
  sandbox,
  sandboxUrl,
}) => {
  const page = await signIn('operator')
  const { name, ...search } = await createCustomerWithPaidPayout(page, sandbox)
  await goTo(page, connectBankAccountPath('sandbox', search))
  await page.getByRole('button', { name: 'Open the bank connection' }).click()
  const providerFrame = page.frameLocator('iframe[title="Bank connection"]')
  await expect(providerFrame.getByRole('heading', { name: 'Choose your bank' })).toBeVisible()
  await expect(page.getByText('The provider’s page is open.')).toBeVisible()
  const iframeElement = page.getByTitle('Bank connection')
  await expect(iframeElement).toHaveAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-forms',
  )
  expect(await iframeElement.getAttribute('src')).toMatch(new RegExp(`^${sandboxUrl}/bridge\\?`))

  await signInAtBank(providerFrame)
  await providerFrame.getByRole('button', { name: 'Link this account' }).click()
  await expect(providerFrame.getByRole('heading', { name: 'Your account is linked' })).toBeVisible()
  await expect(getConnectedMessage(page)).toContainText('Connected and active')
  const id = await readPaykeyId(page)
  expect(await fetchServiceData(page, `/paykeys/${id}`)).toMatchObject({
    status: 'active',
    source: 'mx',
    customer_id: search.customer,
  })
  await expect(
    getConnectedMessage(page).getByRole('link', { name: 'Create a charge' }),
  ).toHaveAttribute(
    'href',
    newRecordPath('sandbox', 'charges', { account: search.account, paykey: id }),
  )
  await providerFrame.getByRole('button', { name: 'Done' }).click()
  await expect(iframeElement).toHaveCount(0)
})

test('a session whose token was lost is replaced by the next press, without a message about keys', {
  tag: ['@fault', '@full'],
}, async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('operator')
  // Uses a separate customer, because the fault applies to every request that contains the
  // customer's id.
  const { account, customer: newCustomer } = await makeAccountWithCustomer(page, deskUrl)
  const customerId = newCustomer.id
  await goTo(page, connectBankAccountPath('sandbox', { customer: customerId, account }))
  await sandbox.fault({
    operation: 'bridge.initialize',
    match: customerId,
    kind: 'status',
    status: 500,
    body: 'none',
    at: 'after',
    count: null,
  })
  const openButton = page.getByRole('button', { name: 'Open the bank connection' })
  await openButton.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Outcome unknown' })).toBeVisible()
  await sandbox.clearFaults()
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByText('Started, but the answer was lost')).toBeVisible()
  await openButton.click()
  await expect(
    page
      .frameLocator('iframe[title="Bank connection"]')
      .getByRole('heading', { name: 'Choose your bank' }),
  ).toBeVisible()
})

test('ignores messages that only imitate the hosted page', { tag: '@full' }, async ({
  signIn,
  sandbox,
  sandboxUrl,
}) => {
  const page = await signIn('operator')
  const payout = await sandbox.makePayout({ status: 'paid' })
  const { customer, account } = await createCustomerWithPaidPayout(page, sandbox)
  await goTo(page, connectBankAccountPath('sandbox', { customer, account }))
  await page.getByRole('button', { name: 'Open the bank connection' }).click()
  const frame = page.frameLocator('iframe[title="Bank connection"]')
  await expect(frame.getByRole('heading', { name: 'Choose your bank' })).toBeVisible()

  await page.evaluate(
    ([id, origin]) => {
      const bridgeMessage = {
        type: '@provider/js-bridge/on-success',
        payload: { data: { id, status: 'active' } },
      }
      const frameWindow = document.querySelector('iframe')?.contentWindow ?? null
      window.postMessage(bridgeMessage, '*')
      dispatchEvent(
        new MessageEvent('message', { data: bridgeMessage, origin: origin ?? '', source: window }),
      )
      dispatchEvent(
        new MessageEvent('message', {
          data: bridgeMessage,
          origin: 'https://evil.example',
          source: frameWindow,
        }),
      )
      dispatchEvent(
        new MessageEvent('message', {
          data: bridgeMessage,
          origin: `${origin}.evil.example`,
          source: frameWindow,
        }),
      )
      dispatchEvent(new MessageEvent('message', { data: bridgeMessage, origin: origin ?? '' }))
    },
    [payout.paykey, sandboxUrl],
  )
  // Messages arrive in order. When the page shows the effect of a real message, it has already
  // handled the forged ones.
  await frame.getByRole('button', { name: 'Type account and routing number instead' }).click()
  await expect(page.getByText('Bank details are being entered on the page.')).toBeVisible()
  await expect(getConnectedMessage(page)).toHaveCount(0)
  await frame.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('The page was closed. No bank account was linked.')).toBeVisible()
})

test('a viewer sees the connection methods and why they are disabled', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('viewer')
  const { customer, account } = await createCustomerWithPaidPayout(page, sandbox)
  await goTo(page, connectBankAccountPath('sandbox', { customer, account }))
  await expect(
    page.getByRole('button', { name: 'Open the bank connection' }),
  ).toHaveAccessibleDescription(/Only an operator or an admin/)
})
