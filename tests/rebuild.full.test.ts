import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movePages, newPages, switchPages, toPagesFolder } from '@/scripts/start/pages.mjs'
import { findBuiltPages } from './harness/built-pages'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type LinkedProject, linkAll, linkProject } from './harness/linked-project'

const [running, next, last] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)]

let project: LinkedProject
let dashboard: Dashboard

/** Simulates a build of changed sources in the project's folder. */
function simulateBuild(hash: string) {
  rmSync(join(project.folder, newPages), { recursive: true, force: true })
  linkAll(findBuiltPages(''), join(project.folder, newPages), 'servers')
  movePages(project.folder, hash)
  switchPages(project.folder, hash)
}

beforeAll(async () => {
  project = linkProject(toPagesFolder(running), (into) => linkAll(findBuiltPages(''), into, 'servers'))
  dashboard = await startDashboard({ serviceUrl: 'http://127.0.0.1:9', apiKey: 'key-of-this-test-0123456789', folder: project.folder })
})
afterAll(async () => {
  await dashboard?.stop()
  project?.remove()
})

test('a running server keeps its pages and scripts through two builds in its folder', async () => {
  simulateBuild(next)
  simulateBuild(last)
  expect([running, next, last].filter((hash) => existsSync(join(project.folder, toPagesFolder(hash))))).toEqual([running, last])
  const page = await fetch(`${dashboard.url}/sign-in`)
  expect(page.status).toBe(200)
  const scripts = [...new Set((await page.text()).match(/\/_next\/static\/[^"\\]+\.js/g))]
  expect(scripts.length).toBeGreaterThan(3)
  expect(await Promise.all(scripts.map(async (path) => (await fetch(`${dashboard.url}${path}`)).status))).toEqual(scripts.map(() => 200))
})

test('the next start uses the last build, and a later build removes the first', async () => {
  await dashboard.kill9()
  await dashboard.restart()
  expect((await fetch(`${dashboard.url}/sign-in`)).status).toBe(200)
  simulateBuild(next)
  expect([running, next, last].filter((hash) => existsSync(join(project.folder, toPagesFolder(hash))))).toEqual([next, last])
})

test('without a build the start is refused in one line with the fix', async () => {
  await dashboard.kill9()
  rmSync(join(project.folder, '.next/current'))
  await expect(dashboard.restart()).rejects.toThrow(/Paydesk cannot start: no pages are built in .*: run npm start, or node scripts/)
})
