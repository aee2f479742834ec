import { afterAll, beforeAll, expect, test } from 'vitest'
import { canOpenPage, pages } from '@/lib/pages'
import { fullTest, isFull, sampleOfEachKind } from '@/tests/sandbox/sample'
import { listAddresses, unknownId } from './harness/addresses'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type LinkedProject, projectWithoutProxy } from './harness/linked-project'
import { signInEveryRole, type TestPerson } from './harness/test-people'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

/**
 * A desk without the proxy (`proxy.ts`). Every page and result is tested here, because the proxy would hide a page that fails to refuse
 * people itself.
 */
let desk: WholeDesk
let linkedProject: LinkedProject
/** Another dashboard on the same store, with the proxy. Only in a full run. */
let proxiedDashboard: Dashboard | undefined
let account: string
let everybody: readonly TestPerson[]

beforeAll(async () => {
  linkedProject = projectWithoutProxy()
  desk = await startWholeDesk({ folder: linkedProject.folder })
  const { sandbox, postgres } = desk
  if (isFull) proxiedDashboard = await startDashboard({ serviceUrl: sandbox.url, apiKey: sandbox.keys.full, databaseUrl: postgres.url })
  ;({ account, everybody } = await signInEveryRole(desk))
})
afterAll(async () => {
  await proxiedDashboard?.stop()
  await desk?.stop()
  linkedProject?.remove()
})

/**
 * The paths of all pages of an environment, with an unknown id if a page needs one. Omits the path of the environment itself, which only
 * redirects.
 */
const addresses = listAddresses().filter((path) => path.startsWith('/sandbox/'))

const maxConcurrent = 6

type Verdict = 'sign-in' | 'not available' | 'no access' | 'shown'

/** Pages of the whole platform. A role in a single account cannot open them. */
const platformPages = new Set(['people', 'policies', 'settings', 'webhooks'])

/** Pages that show people their own data for any account, or that the object does not exist. */
const ownDataPages = /^\/sandbox\/(?:approvals|audit|profile|unknown|deletions\/)/

/** Returns the expected result for a person, according to the table of pages. */
function findExpectedVerdict(path: string, who: TestPerson): Verdict {
  if (who.holding === 'nobody' || who.holding === 'removed') return 'sign-in'
  return who.holding === 'expired' ? 'not available' : findRoleVerdict(path, who)
}

function findRoleVerdict(path: string, { role, holding }: TestPerson): Verdict {
  const page = pages.find((each) => `${path}/`.startsWith(`/sandbox${each.path}/`))
  const isElsewhere = holding === 'other' && !ownDataPages.test(path)
  if (page && platformPages.has(page.id)) return holding === 'platform' && canOpenPage(page, [role]) ? 'shown' : 'not available'
  if (isElsewhere) return 'no access'
  return page && !canOpenPage(page, [role]) ? 'not available' : 'shown'
}

function readVerdict(status: number, location: string | null, html: string): Verdict | string {
  if (location) return /^\/sign-in\?/.test(location) ? 'sign-in' : `to ${location}`
  const [, title = ''] = /<h1[^>]*>(.*?)<\/h1>/.exec(html) ?? []
  if (/^You don’t have access/.test(title)) return 'not available'
  if (/No access to this account/.test(title)) return 'no access'
  return status === 200 ? 'shown' : String(status)
}

type PageVisit = { path: string; who: TestPerson }
const toPersonKey = ({ who }: PageVisit) => `${who.role} ${who.holding}`
const toVerdictKey = ({ path, who }: PageVisit) => `${path} ${findExpectedVerdict(path, who)}`

/** Requests a sample of pages and people. Expects the results according to the table of pages. */
async function expectVerdicts(url: string, ...kinds: ((one: PageVisit) => string)[]): Promise<void> {
  const allVisits = addresses.flatMap((path) => everybody.map((who) => ({ path, who })))
  expect(allVisits.length).toBeGreaterThan(900)
  const waitingVisits = sampleOfEachKind(allVisits, 1, ...kinds)
  const count = waitingVisits.length
  const deviations: object[] = []
  const runWorker = async () => {
    for (let next = waitingVisits.pop(); next; next = waitingVisits.pop()) {
      const { path, who } = next
      const answer = await who.send(`${path.replace(`/accounts/${unknownId}`, `/accounts/${account}`)}?account=acct_${account}`, {}, url)
      const verdict = readVerdict(answer.status, answer.headers.get('location'), await answer.text())
      if (verdict !== findExpectedVerdict(path, who))
        deviations.push({ path, role: who.role, holding: who.holding, expected: findExpectedVerdict(path, who), verdict })
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, runWorker))
  console.info(`${count} cases: ${addresses.length} pages, ${everybody.length} people, ${deviations.length} deviations`)
  expect(deviations).toEqual([])
}

test('every page is allowed or refused for every kind of person as defined, without the proxy', () =>
  expectVerdicts(desk.dashboard.url, toPersonKey, toVerdictKey))

fullTest('every page is allowed or refused for every kind of person as defined, behind the proxy', () =>
  expectVerdicts(proxiedDashboard?.url ?? '', toPersonKey),
)

test('pages of the build without the proxy have no nonce', async () => {
  const [who] = everybody
  const fetchPagePolicy = async (url: string) =>
    (await who?.send('/sandbox/payouts', {}, url))?.headers.get('content-security-policy') ?? ''
  expect(await fetchPagePolicy(desk.dashboard.url)).not.toContain("'nonce-")
  if (proxiedDashboard) expect(await fetchPagePolicy(proxiedDashboard.url)).toContain("'nonce-")
})
