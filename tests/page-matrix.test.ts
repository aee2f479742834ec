import { afterAll, beforeAll, expect, test } from 'vitest'
import { canOpenPage, pages } from '@/lib/pages'
import { isFullRun, sampleOfEachKind, testInFullRun } from '@/tests/sandbox/sample'
import { listAppPaths, unknownId } from './harness/addresses'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { createProjectWithoutProxy, type LinkedProject } from './harness/linked-project'
import { signInEveryRole, type TestPerson } from './harness/test-people'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

/**
 * A test stack whose dashboard runs without the proxy (`proxy.ts`). The proxy redirects people
 * without a session. It would therefore hide a page that does not itself refuse them.
 */
let testStack: WholeDesk
let proxylessProject: LinkedProject
/**
 * Another dashboard on the same database, with the proxy. It is started only in a full run
 * (`npm run test:full`).
 */
let proxiedDashboard: Dashboard | undefined
let accountId: string
let testPeople: readonly TestPerson[]

beforeAll(async () => {
  proxylessProject = createProjectWithoutProxy()
  testStack = await startWholeDesk({ folder: proxylessProject.folder })
  const { sandbox, postgres } = testStack
  if (isFullRun)
    proxiedDashboard = await startDashboard({
      serviceUrl: sandbox.url,
      apiKey: sandbox.keys.full,
      databaseUrl: postgres.url,
    })
  ;({ account: accountId, everybody: testPeople } = await signInEveryRole(testStack))
})
afterAll(async () => {
  await proxiedDashboard?.stop()
  await testStack?.stop()
  proxylessProject?.remove()
})

/**
 * The paths of all pages of the sandbox environment, with an unknown id if a page needs one. Omits
 * `/sandbox` itself, which only redirects.
 */
const pagePaths = listAppPaths().filter((path) => path.startsWith('/sandbox/'))

const maxConcurrentRequests = 6

type PageVerdict = 'sign-in' | 'not available' | 'no access' | 'shown'

/**
 * Pages that open even with a foreign account in the URL. They show the person's own data, or that
 * the object does not exist.
 */
const ownDataPagePattern = /^\/sandbox\/(?:approvals|audit|profile|unknown|deletions\/)/

/** Returns the expected result of a page for a person, according to the table `pages`. */
function findExpectedVerdict(path: string, who: TestPerson): PageVerdict {
  if (who.holding === 'nobody' || who.holding === 'removed') return 'sign-in'
  return who.holding === 'expired' ? 'not available' : findRoleVerdict(path, who)
}

function findRoleVerdict(path: string, { role, holding }: TestPerson): PageVerdict {
  const page = pages.find((each) => `${path}/`.startsWith(`/sandbox${each.path}/`))
  const platformRoles = holding === 'platform' ? [role] : []
  const verdict =
    page && !canOpenPage(page, { platformRoles, allRoles: [role] }) ? 'not available' : 'shown'
  if (page && 'platformRole' in page) return verdict
  const hasForeignAccount = holding === 'other' && !ownDataPagePattern.test(path)
  return hasForeignAccount ? 'no access' : verdict
}

function readPageVerdict(
  status: number,
  location: string | null,
  html: string,
): PageVerdict | string {
  if (location) return /^\/sign-in\?/.test(location) ? 'sign-in' : `to ${location}`
  const [, title = ''] = /<h1[^>]*>(.*?)<\/h1>/.exec(html) ?? []
  if (/^You don’t have access/.test(title)) return 'not available'
  if (/No access to this account/.test(title)) return 'no access'
  return status === 200 ? 'shown' : String(status)
}

type PageVisit = { path: string; who: TestPerson }
const toPersonKey = ({ who }: PageVisit) => `${who.role} ${who.holding}`
const toVerdictKey = ({ path, who }: PageVisit) => `${path} ${findExpectedVerdict(path, who)}`

/**
 * Opens pages as different people and expects the results of `findExpectedVerdict`. A short run
 * opens only one page of each kind; the functions `kinds` return the kind.
 */
async function expectPageVerdicts(
  url: string,
  ...kinds: ((one: PageVisit) => string)[]
): Promise<void> {
  const allVisits = pagePaths.flatMap((path) => testPeople.map((who) => ({ path, who })))
  expect(allVisits.length).toBeGreaterThan(900)
  const remainingVisits = sampleOfEachKind(allVisits, 1, ...kinds)
  const visitCount = remainingVisits.length
  const deviations: object[] = []
  const runWorker = async () => {
    for (let next = remainingVisits.pop(); next; next = remainingVisits.pop()) {
      const { path, who } = next
      const pageResponse = await who.send(
        `${path.replace(`/accounts/${unknownId}`, `/accounts/${accountId}`)}?account=acct_${accountId}`,
        {},
        url,
      )
      const actualVerdict = readPageVerdict(
        pageResponse.status,
        pageResponse.headers.get('location'),
        await pageResponse.text(),
      )
      if (actualVerdict !== findExpectedVerdict(path, who))
        deviations.push({
          path,
          role: who.role,
          holding: who.holding,
          expected: findExpectedVerdict(path, who),
          verdict: actualVerdict,
        })
    }
  }
  await Promise.all(Array.from({ length: maxConcurrentRequests }, runWorker))
  console.info(
    `${visitCount} cases: ${pagePaths.length} pages, ${testPeople.length} people, ${deviations.length} deviations`,
  )
  expect(deviations).toEqual([])
}

test('every page is allowed or refused for every kind of person as defined, without the proxy', () =>
  expectPageVerdicts(testStack.dashboard.url, toPersonKey, toVerdictKey))

testInFullRun(
  'every page is allowed or refused for every kind of person as defined, behind the proxy',
  () => expectPageVerdicts(proxiedDashboard?.url ?? '', toPersonKey),
)

test('pages of the build without the proxy have no nonce', async () => {
  const [who] = testPeople
  const fetchContentSecurityPolicy = async (url: string) =>
    (await who?.send('/sandbox/payouts', {}, url))?.headers.get('content-security-policy') ?? ''
  expect(await fetchContentSecurityPolicy(testStack.dashboard.url)).not.toContain("'nonce-")
  if (proxiedDashboard)
    expect(await fetchContentSecurityPolicy(proxiedDashboard.url)).toContain("'nonce-")
})
