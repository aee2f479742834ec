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
import { confirmAt, emailOf, inviterAt, isOn, type Person, password } from './person'
import { type Sandbox, sandboxAt } from './sandbox'

type Options = { deskUrl: string; sandboxUrl: string }
type SignIn = (role: Role) => Promise<Page>
type Open = (options?: BrowserContextOptions) => Promise<Page>
/** `held`: a page receives no event of a change, so what others do at the same time never redraws it. */
type Events = 'held' | 'live'
/** Stops what was started when the test ends, once its pages are gone. */
export type Started = <T extends { stop: () => unknown }>(starting: Promise<T>) => Promise<T>
type Fixtures = {
  started: Started
  confirms: boolean
  events: Events
  troubles: string[]
  openBrowser: Open
  signIn: SignIn
  sandbox: Sandbox
}
type Inviter = Awaited<ReturnType<typeof inviterAt>>

export { emailOf, expect, password }

/** True in `npm run test:full`, which looks at each page and state in every theme and width. */
export const isFull = process.env.TEST_FULL === '1'

export const test = base.extend<Fixtures, Options & { inviter: Inviter }>({
  deskUrl: ['', { option: true, scope: 'worker' }],
  sandboxUrl: ['', { option: true, scope: 'worker' }],
  /** Whether step-ups are answered with the password; a test about them does it itself. */
  confirms: [true, { option: true }],
  /** `live` is for tests of live changes alone; scripts/house.test.ts lists their files. */
  events: ['held', { option: true }],
  baseURL: async ({ deskUrl }, use) => use(deskUrl),

  /** Makes the people of the tests, as the demo admin. */
  inviter: [
    async ({ playwright, deskUrl }, use) => {
      const inviter = await inviterAt({ request: playwright.request, url: deskUrl })
      await use(inviter)
      await inviter.stop()
    },
    { scope: 'worker' },
  ],

  started: async ({ browserName: _ }, use) => {
    const running: { stop: () => unknown }[] = []
    await use(async (starting) => {
      const one = await starting
      running.unshift(one)
      return one
    })
    for (const one of running) await one.stop()
  },

  /** What no test may cause: console errors (a refused script or style among them) and uncaught exceptions. */
  troubles: [
    // Pages depend on this fixture, so they are closed before `started` stops: an open page would log that it reaches no server.
    async ({ browserName, started: _ }, use) => {
      const troubles: string[] = []
      await use(troubles)
      expect(troubles, `errors in ${browserName}`).toEqual([])
    },
    { auto: true },
  ],

  context: async ({ context, troubles, confirms, events }, use, testInfo) => {
    const tellOpen = await prepare(context, { troubles, confirms, events }, testInfo)
    await use(context)
    tellOpen()
  },

  page: async ({ page, events }, use) => {
    if (events === 'held') await holdEvents(page)
    await use(page)
  },

  /** A page in another browser, closed when the test ends. */
  openBrowser: async ({ browser, troubles, confirms, events }, use, testInfo) => {
    const opened: { context: BrowserContext; tellOpen: () => void }[] = []
    await use(async (options) => {
      const context = await browser.newContext(options)
      opened.push({ context, tellOpen: await prepare(context, { troubles, confirms, events }, testInfo) })
      const page = await context.newPage()
      if (events === 'held') await holdEvents(page)
      return page
    })
    for (const { context, tellOpen } of opened) {
      tellOpen()
      await context.close()
    }
  },

  /** A page of a person whom only this test has, in a browser of its own. The same role is the same person again. */
  signIn: async ({ openBrowser, inviter, deskUrl, confirms }, use) => {
    const people = new Map<Role, Person>()
    await use(async (role) => {
      const known = people.get(role)
      const person = known ?? (await inviter.invite(role))
      people.set(role, person)
      const page = await openBrowser({ storageState: person.state })
      isOn(page, person)
      if (confirms && !known && role !== 'viewer') await confirmAt(page.request, deskUrl)
      return page
    })
  },

  sandbox: async ({ sandboxUrl, deskUrl, inviter }, use) => {
    const cookie = inviter.state.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const sandbox = sandboxAt(sandboxUrl, async (path, query) => {
      const answer = await fetch(`${deskUrl}${mirrorApiPath('sandbox', path, query)}`, { headers: { cookie } })
      return ((await answer.json()) as { data: { id: string; status: string }[] }).data
    })
    try {
      await use(sandbox)
    } finally {
      await sandbox.clearFaults()
    }
  },
})

const held = new WeakMap<Page, Promise<void>>()

/** Keeps back the events a page asks for, without an answer. Not `page.route`, which turns the browser's cache off. */
function holdEvents(page: Page): Promise<void> {
  const begin = async () => {
    const session = await page.context().newCDPSession(page)
    await session.send('Fetch.enable', { patterns: [{ urlPattern: `*/desk${eventsPath}` }] })
  }
  const holding = held.get(page) ?? begin()
  held.set(page, holding)
  return holding
}

/** The same for every page that is opened later; one that is closed at once hears nothing anyway. */
const holdEventsIn = (context: BrowserContext) => context.on('page', (page) => holdEvents(page).catch(() => undefined))

/** Where a page asks who is there, types the password. */
function answerStepUps(context: BrowserContext): void {
  context.on('page', (page) => {
    // Looked for before every step of every test: by its id, since to look by role takes the whole page.
    const dialog = page.locator('dialog[aria-labelledby="step-up-title"]')
    const answered = page.addLocatorHandler(dialog, async () => {
      await dialog.getByLabel('Your password').fill(password)
      await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
    })
    answered.catch(() => undefined)
  })
}

/** Ends the session of a page on the server, as a sign-out in another window or a revocation does; the page keeps its dead cookie. */
export async function endSession(page: Page): Promise<void> {
  const browser = page.context().browser()
  const other = await browser?.newContext({ baseURL: new URL(page.url()).origin, storageState: await page.context().storageState() })
  if (!other) throw new Error('the browser is gone')
  const { csrfToken } = (await (await other.request.get('/api/auth/csrf')).json()) as { csrfToken: string }
  await other.request.post('/api/auth/signout', { form: { csrfToken, json: 'true' }, headers: { origin: new URL(page.url()).origin } })
  await other.close()
}

/** Prepares a browser for a test. Returns what lists its open requests at the end. */
async function prepare(
  context: BrowserContext,
  { troubles, confirms, events }: Pick<Fixtures, 'troubles' | 'confirms' | 'events'>,
  testInfo: TestInfo,
): Promise<() => void> {
  const tellOpen = watchRequests(context, testInfo)
  await watch(context, troubles)
  if (confirms) answerStepUps(context)
  if (events === 'held') holdEventsIn(context)
  return tellOpen
}

async function watch(context: BrowserContext, troubles: string[]): Promise<void> {
  context.on('console', (message) => {
    if (message.type() === 'error' && !isPlannedRefusal(message)) troubles.push(`${message.text()} (${message.location().url})`)
  })
  // What a page tries and catches is in no console.
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => console.error(`Refused by ${effectiveDirective}`)),
  )
  context.on('weberror', (error) => troubles.push(String(error.error())))
}

/** The browser itself notes every answer over 399 and every line that breaks; those a test asks for, the screen tells in its own words. */
function isPlannedRefusal(message: ConsoleMessage): boolean {
  const { pathname } = new URL(message.location().url || 'about:blank')
  if (/^Failed to load resource: net::ERR_INTERNET_DISCONNECTED/.test(message.text())) return true
  if (/^Failed to load resource: net::ERR_INCOMPLETE_CHUNKED_ENCODING/.test(message.text())) return /\/exports\/[a-z_]+$/.test(pathname)
  if (!/^Failed to load resource: the server responded with a status of [45]/.test(message.text())) return false
  return pathname.startsWith('/api/') || message.location().url === message.page()?.url()
}
