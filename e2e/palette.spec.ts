import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { deskPath, homePath, payoutsPath, recordPath, serviceApiPath } from '@/lib/routes'
import {
  fillRelease,
  getDecisionRegion,
  getReleaseButton,
  listAccounts,
  openPayout,
  openPayoutList,
  toScopeParams,
} from './desk'
import { expect, test } from './fixtures'
import { expectAccessible, expectAccessibleAt } from './look'
import { getPersonOfPage } from './person'
import { holdRequests } from './request-faults'

const getPalette = (page: Page) => page.getByRole('dialog', { name: 'Find or go to' })
const getPaletteInput = (page: Page) =>
  getPalette(page).getByRole('combobox', { name: 'Find or go to' })
const getPaletteOption = (page: Page, name: RegExp | string): Locator =>
  getPalette(page).getByRole('option', { name })

/** Opens the palette with its shortcut and types into it. */
async function typeInPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await expect(getPaletteInput(page)).toBeFocused()
  await getPaletteInput(page).fill(text)
}

/** Reads data of the service through Paydesk's API. */
async function fetchServiceData<T>(page: Page, path: string, query = ''): Promise<T> {
  const serviceResponse = await page.request.get(serviceApiPath('sandbox', path, query))
  return ((await serviceResponse.json()) as { data: T }).data
}

test('a payout is found by its ID, and Enter opens it in the same scope', async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('viewer')
  await openPayoutList(page, { account: payout.account })
  await typeInPalette(page, payout.id)
  await expect(getPaletteOption(page, new RegExp(`to ${payout.customer} Payout`))).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(recordPath(toScopeParams(payout.account), 'payouts', payout.id))
  await expect(getPalette(page)).toHaveCount(0)
})

test('text typed before the palette loads stays until the next opening', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('viewer')
  await openPayoutList(page)
  const continueHeldRequests = await holdRequests(page, '*/_next/static/*')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(getPalette(page).getByRole('textbox', { name: 'Find or go to' })).toBeFocused()
  await page.keyboard.type('hol')
  await continueHeldRequests()
  await expect(getPaletteInput(page)).toBeFocused()
  await page.keyboard.type('d')
  await expect(getPaletteInput(page)).toHaveValue('hold')
  await page.keyboard.press('Escape')
  await expect(getPalette(page)).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+k')
  await expect(getPaletteInput(page)).toBeFocused()
  await page.keyboard.type('x')
  await expect(getPaletteInput(page)).toHaveValue('x')
})

test('an external ID, bank account digits, a name and an email address find their records', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayoutList(page)
  await typeInPalette(page, payout.externalId)
  await expect(
    getPaletteOption(page, new RegExp(`to ${payout.customer} Payout ${payout.id.slice(0, 8)}`)),
  ).toBeVisible()

  const paykey = await fetchServiceData<{ label: string }>(page, `/paykeys/${payout.paykey}`)
  await getPaletteInput(page).fill(/\d{4}$/.exec(paykey.label)?.[0] ?? 'no digits')
  await expect(
    getPaletteOption(page, new RegExp(`Paykey ${payout.paykey.slice(0, 8)}`)),
  ).toBeVisible()

  await getPaletteInput(page).fill(payout.customer)
  await expect(getPaletteOption(page, /Customer /).first()).toContainText(payout.customer)

  const requestedUrls: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  const email = `${payout.customer.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@example.com`
  await getPaletteInput(page).fill(email)
  await expect(getPalette(page).getByText(/^Searched customers by email/)).toBeVisible()
  expect(requestedUrls.filter((url) => url.includes('example.com'))).toEqual([])
  expect(page.url()).not.toContain('example')
})

test('an idempotency key, a request ID and an action ID find their payout', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await fillRelease(page)
  const releaseResponse = page.waitForResponse((response) =>
    response.url().includes(`${payout.id}/release`),
  )
  await getReleaseButton(page).click()
  await expect(
    getDecisionRegion(page)
      .getByText(/^Released/)
      .first(),
  ).toBeVisible()
  const { action } = (await (await releaseResponse).json()) as {
    action: {
      id: string
      idempotency_key: string
      correlation_id: string
      attempts: { request_id: string; api_request_id: string }[]
    }
  }
  await openPayoutList(page)
  const actionIdentifiers = {
    'idempotency key': action.idempotency_key,
    'action ID': action.id,
    'correlation ID': action.correlation_id,
    'request ID': action.attempts[0]?.request_id,
    'api request ID': action.attempts[0]?.api_request_id,
  }
  await typeInPalette(page, '')
  for (const [name, text] of Object.entries(actionIdentifiers)) {
    await getPaletteInput(page).fill(text ?? `no ${name}`)
    await expect(
      getPaletteOption(
        page,
        new RegExp(`Release a payout Action by ${getPersonOfPage(page).name}, found by ${name}`),
      ),
    ).toContainText('Applied')
  }
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(
    recordPath('sandbox', 'payouts', payout.id, { account: payout.account }),
  )
})

test('Ctrl+Enter opens another tab and leaves this one unchanged', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('viewer')
  await openPayoutList(page)
  await typeInPalette(page, payout.id)
  await expect(getPaletteOption(page, /Payout/)).toBeVisible()
  const newPagePromise = page.context().waitForEvent('page')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(await newPagePromise).toHaveURL(recordPath('sandbox', 'payouts', payout.id))
  await expect(getPaletteInput(page)).toHaveValue(payout.id)
  await expect(page).toHaveURL(payoutsPath('sandbox'))
})

test('an account entry changes the scope, an action entry opens its form, and a page entry its page', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  const account = (await listAccounts(page))[2]
  await openPayoutList(page, { tab: 'paid' })
  await typeInPalette(page, account?.name ?? '')
  await getPaletteOption(page, new RegExp(`^${account?.name} stay on this page`)).click()
  await expect(page).toHaveURL(payoutsPath('sandbox', { tab: 'paid', account: account?.id }))
  await typeInPalette(page, 'create a customer')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(deskPath('sandbox', '/customers/new', { account: account?.id }))
  await typeInPalette(page, 'home')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(homePath('sandbox', { account: account?.id }))
})

test('an empty palette lists the records opened in this tab first, and stores no data in the browser', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('viewer')
  await openPayout(page, payout)
  await typeInPalette(page, '')
  await expect(getPaletteOption(page, new RegExp(`to ${payout.customer} Payout`))).toHaveAttribute(
    'aria-selected',
    'true',
  )
  const storageText = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  )
  expect(storageText).not.toContain(payout.id)
  expect(storageText).not.toContain(payout.customer)
  await page.keyboard.press('Escape')
  await expect(getPalette(page)).toHaveCount(0)
})

test('an empty result shows the searched scope and can search the whole platform', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  const otherAccount = (await listAccounts(page)).find((account) => account.id !== payout.account)
  await openPayoutList(page, { account: otherAccount?.id ?? '' })
  await typeInPalette(page, payout.id)
  await expect(getPalette(page).getByText('No matching record')).toBeVisible()
  await expect(getPalette(page).getByText(`in ${otherAccount?.name}, sandbox.`)).toBeVisible()
  await expectAccessibleAt(page, 'wide')
  await getPalette(page).getByRole('button', { name: 'Search the whole platform' }).click()
  await expect(getPaletteOption(page, new RegExp(`to ${payout.customer} Payout`))).toBeVisible()
})

test('a failed search is named and never shown as an empty result', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('viewer')
  await openPayoutList(page)
  const failingPaykeyId = randomUUID()
  await sandbox.fault({
    operation: 'paykeys.get',
    match: failingPaykeyId,
    kind: 'status',
    status: 500,
    count: null,
  })
  await typeInPalette(page, failingPaykeyId)
  await expect(getPalette(page).getByText('Not found in the places searched')).toBeVisible({
    timeout: 20_000,
  })
  await expect(getPalette(page).getByText(/^Could not search paykeys:/)).toBeVisible()
})

test('the palette is accessible', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('viewer')
  // Opens an empty list behind the palette. axe checks the whole page, and rows would only make it
  // slower: lists have their own test.
  await openPayoutList(page, { search_text: 'no such payout' })
  await typeInPalette(page, 'gonzalez')
  await expect(getPaletteOption(page, /Customer/).first()).toBeVisible()
  await expectAccessible(page)
})

test('on a phone a button opens the palette, and a tap opens a result', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('viewer')
  await page.setViewportSize({ width: 390, height: 844 })
  await openPayoutList(page)
  await page.getByRole('button', { name: 'Find or go to' }).click()
  await expect(getPaletteInput(page)).toBeFocused()
  await getPaletteInput(page).fill('gonzalez')
  await getPaletteOption(page, /Customer/)
    .first()
    .click()
  await expect(page).toHaveURL(/customers\/[0-9a-f-]{36}$/)
})
