import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  type ConsoleMessage,
  expect,
  type Page,
  type TestInfo,
} from '@playwright/test'
import type { Role } from '@/lib/operations/define'
import { eventsPath, mirrorApiPath } from '@/lib/routes'
import { watchRequests } from './open-requests'
import {
  confirmPassword,
  createInviter,
  emailOf,
  type Person,
  password,
  rememberPersonOfPage,
} from './person'
import { createSandboxControl, type Sandbox } from './sandbox'

type FixtureOptions = { deskUrl: string; sandboxUrl: string }
type SignIn = (role: Role) => Promise<Page>
type OpenBrowser = (options?: BrowserContextOptions) => Promise<Page>
/**
 * With `live`, pages receive events about changes. With `held`, they receive none, so that changes
 * by other tests never re-render them.
 */
type EventsMode = 'held' | 'live'
/**
 * Awaits something that the test is starting, such as a server, and returns it. Stops it after the
 * test's pages have closed.
 */
export type StopAfterTest = <T extends { stop: () => unknown }>(starting: Promise<T>) => Promise<T>
type Fixtures = {
  started: StopAfterTest
  confirms: boolean
  events: EventsMode
  troubles: string[]
  openBrowser: OpenBrowser
  signIn: SignIn
  sandbox: Sandbox
}
type Inviter = Awaited<ReturnType<typeof createInviter>>

export { emailOf, expect, password }

/** True in `npm run test:full`, which checks each page and state in every theme and width. */
export const isFullRun = process.env.TEST_FULL === '1'

export const test = base.extend<Fixtures, FixtureOptions & { inviter: Inviter }>({
  deskUrl: ['', { option: true, scope: 'worker' }],
  sandboxUrl: ['', { option: true, scope: 'worker' }],
  /**
   * If true, every dialog that asks for the password before a write is confirmed automatically.
   * Tests of this dialog set it to false.
   */
  confirms: [true, { option: true }],
  /**
   * `held`: an open page receives no events of other people's changes, so that other tests cannot
   * change it. Only a test about changes of an open page may set `live`; scripts/house.test.ts
   * lists the files with such tests.
   */
  events: ['held', { option: true }],
  baseURL: async ({ deskUrl }, use) => use(deskUrl),

  /** Creates the people who sign in during the tests. Demo admins invite them. */
  inviter: [
    async ({ playwright, deskUrl }, use) => {
      const inviter = await createInviter({ request: playwright.request, url: deskUrl })
      await use(inviter)
      await inviter.stop()
    },
    { scope: 'worker' },
  ],

  started: async ({ browserName: _ }, use) => {
    const runningServers: { stop: () => unknown }[] = []
    await use(async (starting) => {
      const startedServer = await starting
      runningServers.unshift(startedServer)
      return startedServer
    })
    for (const one of runningServers) await one.stop()
  },

  /**
   * Console errors, policy violations and uncaught exceptions of the test's pages. If any remain in
   * the array, the test fails.
   */
  troubles: [
    // Depends on `started`, and the page fixtures depend on this one. Pages therefore close before
    // `started` stops its servers. Otherwise an open page would log an error when its server stops.
    async ({ browserName, started: _ }, use) => {
      const pageErrors: string[] = []
      await use(pageErrors)
      expect(pageErrors, `errors in ${browserName}`).toEqual([])
    },
    { auto: true },
  ],

  context: async ({ context, troubles, confirms, events }, use, testInfo) => {
    const logOpenRequests = await prepareContext(context, { troubles, confirms, events }, testInfo)
    await use(context)
    logOpenRequests()
  },

  page: async ({ page, events }, use) => {
    if (events === 'held') await holdEvents(page)
    await use(page)
  },

  /** Opens a page in a new browser context, which is closed when the test ends. */
  openBrowser: async ({ browser, troubles, confirms, events }, use, testInfo) => {
    const openedContexts: { context: BrowserContext; tellOpen: () => void }[] = []
    await use(async (options) => {
      const context = await browser.newContext(options)
      openedContexts.push({
        context,
        tellOpen: await prepareContext(context, { troubles, confirms, events }, testInfo),
      })
      const page = await context.newPage()
      if (events === 'held') await holdEvents(page)
      return page
    })
    for (const { context, tellOpen } of openedContexts) {
      tellOpen()
      await context.close()
    }
  },

  /**
   * Opens a page in a new browser context, signed in as a person that only this test uses. A second
   * call with the same role signs in the same person.
   */
  signIn: async ({ openBrowser, inviter, deskUrl, confirms }, use) => {
    const peopleByRole = new Map<Role, Person>()
    await use(async (role) => {
      const existingPerson = peopleByRole.get(role)
      const person = existingPerson ?? (await inviter.invite(role))
      peopleByRole.set(role, person)
      const page = await openBrowser({ storageState: person.state })
      rememberPersonOfPage(page, person)
      if (confirms && !existingPerson && role !== 'viewer')
        await confirmPassword(page.request, deskUrl)
      return page
    })
  },

  sandbox: async ({ sandboxUrl, deskUrl, inviter }, use) => {
    const cookieHeader = inviter.state.cookies
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const sandbox = createSandboxControl(sandboxUrl, async (path, query) => {
      const mirrorResponse = await fetch(`${deskUrl}${mirrorApiPath('sandbox', path, query)}`, {
        headers: { cookie: cookieHeader },
      })
      return ((await mirrorResponse.json()) as { data: { id: string; status: string }[] }).data
    })
    try {
      await use(sandbox)
    } finally {
      await sandbox.clearFaults()
    }
  },
})

const eventHolds = new WeakMap<Page, Promise<void>>()

/**
 * Pauses a page's requests for the event stream and never continues them, so that the page receives
 * no events. Does not use `page.route`, which would disable the browser's cache.
 */
function holdEvents(page: Page): Promise<void> {
  const startHolding = async () => {
    const cdpSession = await page.context().newCDPSession(page)
    await cdpSession.send('Fetch.enable', { patterns: [{ urlPattern: `*/desk${eventsPath}` }] })
  }
  const eventHold = eventHolds.get(page) ?? startHolding()
  eventHolds.set(page, eventHold)
  return eventHold
}

/**
 * Calls `holdEvents` for every page that is opened later. Ignores errors of pages that close
 * immediately: they receive no events.
 */
const holdEventsIn = (context: BrowserContext) =>
  context.on('page', (page) => holdEvents(page).catch(() => undefined))

/**
 * Confirms the password whenever a page shows a step-up dialog, which asks for it before a
 * sensitive write.
 */
function confirmStepUpDialogs(context: BrowserContext): void {
  context.on('page', (page) => {
    // Playwright evaluates this locator before each action of each test. It uses the id, because a
    // lookup by role reads the whole page.
    const dialog = page.locator('dialog[aria-labelledby="step-up-title"]')
    const handlerRegistration = page.addLocatorHandler(dialog, async () => {
      await dialog.getByLabel('Your password').fill(password)
      await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
    })
    handlerRegistration.catch(() => undefined)
  })
}

/**
 * Ends the session of a page on the server, as a sign-out in another window would. The page keeps
 * its session cookie, which is now invalid.
 */
export async function endSession(page: Page): Promise<void> {
  const browser = page.context().browser()
  const otherContext = await browser?.newContext({
    baseURL: new URL(page.url()).origin,
    storageState: await page.context().storageState(),
  })
  if (!otherContext) throw new Error('the browser is gone')
  const { csrfToken } = (await (await otherContext.request.get('/api/auth/csrf')).json()) as {
    csrfToken: string
  }
  await otherContext.request.post('/api/auth/signout', {
    form: { csrfToken, json: 'true' },
    headers: { origin: new URL(page.url()).origin },
  })
  await otherContext.close()
}

/**
 * Prepares a browser context for a test. Returns a function to call at the end: if the test failed,
 * it prints the open requests.
 */
async function prepareContext(
  context: BrowserContext,
  { troubles, confirms, events }: Pick<Fixtures, 'troubles' | 'confirms' | 'events'>,
  testInfo: TestInfo,
): Promise<() => void> {
  const reportOpenRequests = watchRequests(context, testInfo)
  await collectErrors(context, troubles)
  if (confirms) confirmStepUpDialogs(context)
  if (events === 'held') holdEventsIn(context)
  return reportOpenRequests
}

async function collectErrors(context: BrowserContext, troubles: string[]): Promise<void> {
  context.on('console', (message) => {
    if (message.type() === 'error' && !isPlannedFault(message))
      troubles.push(`${message.text()} (${message.location().url})`)
  })
  // Code in the page may catch the error of a policy violation, which then does not appear in the
  // console. This listener logs it anyway.
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      console.error(`Refused by ${effectiveDirective}`),
    ),
  )
  context.on('weberror', (error) => troubles.push(String(error.error())))
}

/**
 * True if the browser logged an error response or a broken connection that a test planned. Such a
 * message does not fail the test, because the page handles the fault and shows it to the person.
 */
function isPlannedFault(message: ConsoleMessage): boolean {
  const { pathname } = new URL(message.location().url || 'about:blank')
  if (/^Failed to load resource: net::ERR_INTERNET_DISCONNECTED/.test(message.text())) return true
  if (/^Failed to load resource: net::ERR_INCOMPLETE_CHUNKED_ENCODING/.test(message.text()))
    return /\/exports\/[a-z_]+$/.test(pathname)
  if (!/^Failed to load resource: the server responded with a status of [45]/.test(message.text()))
    return false
  return pathname.startsWith('/api/') || message.location().url === message.page()?.url()
}
