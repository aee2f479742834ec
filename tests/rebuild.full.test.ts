import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  makePagesCurrent,
  moveBuiltPages,
  nextBuildFolder,
  toPagesFolder,
} from '@/scripts/start/pages.mjs'
import { findBuiltPages } from './harness/built-pages'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type LinkedProject, linkFolderEntries, linkProject } from './harness/linked-project'

const [runningHash, nextHash, lastHash] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)]

let linkedProject: LinkedProject
let dashboard: Dashboard

/** Simulates a build of changed sources in the project's folder. */
function simulateBuild(hash: string) {
  rmSync(join(linkedProject.folder, nextBuildFolder), { recursive: true, force: true })
  linkFolderEntries(findBuiltPages(''), join(linkedProject.folder, nextBuildFolder), 'servers')
  moveBuiltPages(linkedProject.folder, hash)
  makePagesCurrent(linkedProject.folder, hash)
}

beforeAll(async () => {
  linkedProject = linkProject(toPagesFolder(runningHash), (into) =>
    linkFolderEntries(findBuiltPages(''), into, 'servers'),
  )
  dashboard = await startDashboard({
    serviceUrl: 'http://127.0.0.1:9',
    apiKey: 'key-of-this-test-0123456789',
    folder: linkedProject.folder,
  })
})
afterAll(async () => {
  await dashboard?.stop()
  linkedProject?.remove()
})

test('a running server keeps its pages and scripts through two builds in its folder', async () => {
  simulateBuild(nextHash)
  simulateBuild(lastHash)
  expect(
    [runningHash, nextHash, lastHash].filter((hash) =>
      existsSync(join(linkedProject.folder, toPagesFolder(hash))),
    ),
  ).toEqual([runningHash, lastHash])
  const pageResponse = await fetch(`${dashboard.url}/sign-in`)
  expect(pageResponse.status).toBe(200)
  const scriptPaths = [
    ...new Set((await pageResponse.text()).match(/\/_next\/static\/[^"\\]+\.js/g)),
  ]
  expect(scriptPaths.length).toBeGreaterThan(3)
  expect(
    await Promise.all(
      scriptPaths.map(async (path) => (await fetch(`${dashboard.url}${path}`)).status),
    ),
  ).toEqual(scriptPaths.map(() => 200))
})

test('the next start uses the last build, and a later build removes the first', async () => {
  await dashboard.kill9()
  await dashboard.restart()
  expect((await fetch(`${dashboard.url}/sign-in`)).status).toBe(200)
  simulateBuild(nextHash)
  expect(
    [runningHash, nextHash, lastHash].filter((hash) =>
      existsSync(join(linkedProject.folder, toPagesFolder(hash))),
    ),
  ).toEqual([nextHash, lastHash])
})

test('without a build the start is refused in one line with the fix', async () => {
  await dashboard.kill9()
  rmSync(join(linkedProject.folder, '.next/current'))
  await expect(dashboard.restart()).rejects.toThrow(
    /Paydesk cannot start: no pages are built in .*: run npm start, or node scripts/,
  )
})
