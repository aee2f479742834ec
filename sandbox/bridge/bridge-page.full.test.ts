import { expect as expectPage, type FrameLocator, type Page } from '@playwright/test'
import { describe, expect, test } from 'vitest'
import { type BridgeSession, createBridgeSession } from '@/tests/sandbox/bridge-session'
import { findHeading, signInAtBank, submitChosenAccount } from '@/tests/sandbox/bridge-steps'
import { openBrowserPerFile } from '@/tests/sandbox/browser-per-file'
import { createAccountNumber } from '@/tests/sandbox/link-bank-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client, process } = startSandboxPerFile()
const { newPage, desk } = openBrowserPerFile()

type BridgeMessage = {
  origin: string
  type: string
  payload?: { status?: number; message?: string; data?: Record<string, unknown> }
}
type OpenedPage = {
  session: BridgeSession
  page: Page
  frame: FrameLocator
  heard: () => Promise<BridgeMessage[]>
  names: () => Promise<string[]>
}

/**
 * Opens the hosted page in an iframe of a page on `host`. `origin` is the framing origin that the
 * hosted page's URL names. Without it, only the Referer header contains the framing origin.
 */
async function openFramedPage(
  overrides: Record<string, unknown> = {},
  { host = '127.0.0.1', origin }: { host?: string; origin?: string } = {},
): Promise<OpenedPage> {
  const session = await createBridgeSession(client(), overrides)
  const page = await newPage()
  const bridgePageUrl = `${process().url}/bridge?${new URLSearchParams({ token: session.token, ...(origin && { origin }) })}`
  await page.goto(`http://${host}:${desk()}/?frame=${encodeURIComponent(bridgePageUrl)}`)
  const readMessages = () =>
    page.evaluate(() => (window as unknown as { heard: BridgeMessage[] }).heard)
  const readMessageTypes = async () =>
    (await readMessages()).map(({ type }) => type.replace('@provider/js-bridge/', ''))
  return {
    session,
    page,
    frame: page.frameLocator('iframe'),
    heard: readMessages,
    names: readMessageTypes,
  }
}

describe('in a frame', () => {
  test('a bank account in review is linked, and the parent receives its messages', async () => {
    const { session, frame, heard, names, page } = await openFramedPage()
    await frame.getByLabel('Search by name').fill('gring')
    await expectPage(frame.getByRole('listitem')).toHaveCount(1)
    await signInAtBank(frame)
    await frame.getByRole('radio', { name: /Family checking/ }).check()
    await submitChosenAccount(frame)
    await expectPage(findHeading(frame, 'Your account is in review')).toBeFocused()
    await expect.poll(names).toContain('on-success')
    const successMessage = (await heard()).find(
      ({ type }) => type === '@provider/js-bridge/on-success',
    )
    expect(successMessage).toMatchObject({
      origin: process().url,
      payload: {
        response_type: 'object',
        data: {
          status: 'review',
          source: 'mx',
          customer_id: session.customer.id,
          institution_name: 'Gringotts',
        },
      },
    })
    const revealResponse = await client().ask(
      `/v1/paykeys/${successMessage?.payload?.data?.id}/reveal`,
    )
    expect(revealResponse.json.data).toMatchObject({
      status: 'review',
      paykey: successMessage?.payload?.data?.paykey,
    })
    await frame.getByRole('button', { name: 'Done' }).click()
    await expectPage(findHeading(frame, 'Closed')).toBeVisible()
    const expectedFlowMessageTypes = [
      'initializing',
      'initialized',
      'mounted',
      'on-paykey',
      'on-success',
      'on-success-cta-clicked',
    ]
    await expect.poll(names).toEqual(expectedFlowMessageTypes)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME')
  })

  test('account numbers are entered by keyboard, with an error at each invalid field', async () => {
    const { frame, page, heard, names } = await openFramedPage()
    await frame.getByRole('button', { name: /Type account/ }).focus()
    await page.keyboard.press('Enter')
    await expectPage(findHeading(frame, 'Type your account')).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.type('02100002')
    await page.keyboard.press('Enter')
    const routingNumberField = frame.getByLabel('Routing number')
    await expectPage(routingNumberField).toBeFocused()
    await expectPage(routingNumberField).toHaveAccessibleDescription(
      /Routing number must be nine digits\./,
    )
    await expectPage(frame.getByLabel('Account number')).toHaveAttribute('aria-invalid', 'true')
    await page.keyboard.type('2')
    await page.keyboard.press('Tab')
    await page.keyboard.type(createAccountNumber())
    await page.keyboard.press('Enter')
    await expectPage(routingNumberField).toHaveAccessibleDescription(/check digit/)
    await expectPage(routingNumberField).toBeFocused()
    await routingNumberField.fill('021000021')
    await frame.getByRole('radio', { name: 'Savings' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await expectPage(findHeading(frame, 'Your account is linked')).toBeVisible()
    await expect
      .poll(async () => (await names()).slice(3))
      .toEqual(['on-manual-entry', 'error', 'on-paykey', 'on-success'])
    const { data } = (await heard()).at(-1)?.payload ?? {}
    expect(data).toMatchObject({
      status: 'active',
      source: 'bank_account',
      bank_data: { account_type: 'savings' },
    })
  })

  test('a rejected account sends no success message, and another one can be chosen', async () => {
    const { frame, names } = await openFramedPage()
    await signInAtBank(frame, 'JPMORGAN CHASE BANK, NA')
    await frame.getByRole('radio', { name: /Company savings/ }).check()
    await submitChosenAccount(frame)
    await expectPage(findHeading(frame, 'This account cannot be linked')).toBeFocused()
    await expect.poll(async () => (await names()).slice(3)).toEqual(['on-paykey'])
    await frame.getByRole('button', { name: 'Choose another account' }).click()
    await signInAtBank(frame)
    await submitChosenAccount(frame)
    await expectPage(findHeading(frame, 'Your account is linked')).toBeVisible()
    await expect
      .poll(async () => (await names()).slice(3))
      .toEqual(['on-paykey', 'on-retry', 'on-paykey', 'on-success'])
  })

  test('offline, the entries stay, and a retry continues', async () => {
    const { frame, page, names } = await openFramedPage()
    await frame.getByRole('button', { name: /Type account/ }).click()
    await frame.getByLabel('Routing number').fill('021000021')
    await frame.getByLabel('Account number').fill(createAccountNumber())
    await page.context().setOffline(true)
    await submitChosenAccount(frame)
    await expectPage(frame.getByRole('alert')).toHaveText(
      'You are offline. What you entered is still here.',
    )
    await expectPage(frame.getByLabel('Routing number')).toHaveValue('021000021')
    await page.context().setOffline(false)
    await frame.getByRole('button', { name: 'Try again' }).click()
    await expectPage(findHeading(frame, 'Your account is linked')).toBeVisible()
    const retryMessageTypes = ['on-manual-entry', 'error', 'on-retry', 'on-paykey', 'on-success']
    await expect.poll(async () => (await names()).slice(3)).toEqual(retryMessageTypes)
  })

  test('a pending choice shows its progress, and a second click sends nothing', async () => {
    const { session, frame, page } = await openFramedPage()
    await signInAtBank(frame)
    let requestCount = 0
    let releaseRequest: () => void = () => undefined
    const requestReleased = new Promise<void>((resolve) => {
      releaseRequest = resolve
    })
    await page.route('**/bridge/paykeys', async (route) => {
      requestCount++
      await requestReleased
      await route.continue()
    })
    await frame.getByRole('button', { name: 'Link this account' }).dblclick()
    await expectPage(frame.getByRole('button', { name: 'One moment…' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await expectPage(frame.getByRole('status')).toHaveText('Asking the bank. One moment.')
    releaseRequest()
    await expectPage(findHeading(frame, 'Your account is linked')).toBeVisible()
    expect(requestCount).toBe(1)
    expect(
      (await client().ask(`/v1/paykeys?customer_id=${session.customer.id}`)).json.data,
    ).toHaveLength(1)
  })

  test('closing sends a message', async () => {
    const { frame, names } = await openFramedPage()
    await frame.getByRole('button', { name: 'Close' }).click()
    await expect.poll(names).toEqual(['initializing', 'initialized', 'mounted', 'on-close'])
  })

  test('responds only to its parent and ignores messages of another shape', async () => {
    const { frame, page, names } = await openFramedPage()
    await expectPage(findHeading(frame, 'Choose your bank')).toBeVisible()
    const postMessageFromPage = (data: unknown) =>
      page.evaluate((message) => window.frames[0]?.postMessage(message, '*'), data)
    for (const data of [
      null,
      'ping',
      { type: 7 },
      { type: 'ping' },
      { type: '@provider/js-bridge/' },
    ])
      await postMessageFromPage(data)
    // Send valid messages from two wrong senders, which the page must ignore: the frame itself, and
    // another frame of the same parent.
    await frame
      .locator('body')
      .evaluate(() => window.postMessage({ type: '@provider/js-bridge/ping' }, location.origin))
    await page.evaluate(() => {
      const siblingFrame = document.createElement('iframe')
      siblingFrame.srcdoc = `<script>parent.frames[0].postMessage({ type: '@provider/js-bridge/ping' }, '*'); parent.spoken = true</script>`
      document.body.append(siblingFrame)
    })
    await page.waitForFunction(() => 'spoken' in window)
    await postMessageFromPage({ type: '@provider/js-bridge/ping' })
    await postMessageFromPage({ type: '@provider/js-bridge/initialize' })
    await expect
      .poll(names)
      .toEqual(['initializing', 'initialized', 'mounted', 'mounted', 'initialized'])
  })

  test('an expired token is shown on the page and reported to the parent', async () => {
    const openedPage = await openFramedPage()
    await signInAtBank(openedPage.frame)
    await client().control('clock', { advance_seconds: 14_401 })
    await submitChosenAccount(openedPage.frame)
    await expectPage(openedPage.frame.getByRole('alert')).toHaveText(
      'The bridge token has expired.',
    )
    const { page, heard } = openedPage
    await page.reload()
    await expectPage(findHeading(openedPage.frame, 'This session is not valid')).toBeVisible()
    await expect
      .poll(async () => (await heard()).at(-1))
      .toMatchObject({
        type: '@provider/js-bridge/error',
        payload: { status: 401, message: 'The bridge token has expired.' },
      })
  })
})

describe('a parent that is not allowed', () => {
  test.each([
    ['by the Referer', { host: 'desk.example' }],
    [
      'that names an allowed origin as its own',
      { host: 'desk.example', origin: 'http://localhost:3000' },
    ],
    ['of this machine that names another one as its own', { origin: 'http://localhost:1' }],
  ])('%s sees no page and receives no messages', async (_name, where) => {
    const { page, heard } = await openFramedPage({}, where)
    await expectPage.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/)
    expect(await heard()).toEqual([])
  })

  test('receives no messages even if the browser ignores the CSP', async () => {
    const { token } = await createBridgeSession(client())
    const page = await newPage()
    // Remove the CSP, as in a browser that ignores it. Only the target origin passed to
    // `postMessage` then protects the messages.
    await page.route('**/bridge?*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        headers: { ...response.headers(), 'content-security-policy': '' },
      })
    })
    const bridgePageAddress = `${process().url}/bridge?${new URLSearchParams({ token, origin: 'http://localhost:1' })}`
    await page.goto(`http://127.0.0.1:${desk()}/?frame=${encodeURIComponent(bridgePageAddress)}`)
    const frame = page.frameLocator('iframe')
    await signInAtBank(frame)
    await submitChosenAccount(frame)
    await expectPage(findHeading(frame, 'Your account is linked')).toBeVisible()
    expect(
      await page.evaluate(() => (window as unknown as { heard: BridgeMessage[] }).heard),
    ).toEqual([])
  })
})

test('opened directly, the page works and shows that it has no parent', async () => {
  const { token } = await createBridgeSession(client())
  const page = await newPage()
  await page.goto(`${process().url}/bridge?token=${token}`)
  await expectPage(page.getByText('This page was opened directly')).toBeVisible()
  await signInAtBank(page)
  await submitChosenAccount(page)
  await expectPage(findHeading(page, 'Your account is linked')).toBeVisible()
})
