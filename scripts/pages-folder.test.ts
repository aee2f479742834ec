import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureDeps } from './ensure-deps.mjs'
import { currentPages, hasPages, keepPages, newPages, pagesOf, runningServers, switchPages } from './pages-folder.mjs'

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pages-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const [first, second, third] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)]
const folderOf = (hash: string) => join(root, pagesOf(hash))

function write(path: string, content = '') {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/** Does what a build does: Next leaves its pages and its cache, and the pages become the current ones. */
function build(hash: string) {
  write(`${newPages}/BUILD_ID`, hash)
  write(`${newPages}/static/chunk.js`, hash)
  write(`${newPages}/cache/a`)
  keepPages(root, hash)
  switchPages(root, hash)
}

test('a build has a folder of its own, which the next start serves', () => {
  expect(currentPages(root)).toBeUndefined()
  expect(hasPages(root, first)).toBe(false)
  build(first)
  expect(currentPages(root)).toBe(pagesOf(first))
  expect(readFileSync(join(folderOf(first), 'static/chunk.js'), 'utf8')).toBe(first)
  expect(readdirSync(join(root, newPages))).toEqual(['cache'])
})

/** Starts a process that runs until it is ended, and marks the build as served by it. */
function serve(hash: string) {
  const server = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'pipe' })
  const ended = once(server, 'exit')
  const mark = `${pagesOf(hash)}/servers/${server.pid}`
  write(mark)
  const end = () => {
    server.kill()
    return ended
  }
  return { pid: server.pid, mark, end }
}

test('a later build leaves the files of a running server alone, and the first one after its end removes them', async () => {
  build(first)
  const server = serve(first)
  try {
    build(second)
    build(third)
    expect(currentPages(root)).toBe(pagesOf(third))
    expect([first, second, third].filter((hash) => existsSync(join(folderOf(hash), 'static/chunk.js')))).toEqual([first, third])
  } finally {
    await server.end()
  }
  build(second)
  expect(existsSync(folderOf(first))).toBe(false)
})

test('a mark from before the machine was started names no server, whatever process has its id now', async () => {
  build(first)
  const server = serve(first)
  try {
    expect(runningServers(root)).toEqual([String(server.pid)])
    utimesSync(join(root, server.mark), 0, 0)
    expect(runningServers(root)).toEqual([])
  } finally {
    await server.end()
  }
})

test('packages are not replaced under a running server', async () => {
  build(first)
  write('package.json', '{}')
  write('package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } } }))
  const server = serve(first)
  try {
    await expect(ensureDeps(root, () => undefined)).rejects.toThrow(`a server runs from this folder (process ${server.pid}): stop it first`)
  } finally {
    await server.end()
  }
})

test('what a move that broke off left behind is no build, and is removed', () => {
  write(`${pagesOf(first)}.part/BUILD_ID`)
  expect(hasPages(root, first)).toBe(false)
  build(second)
  expect(readdirSync(join(root, '.next')).sort()).toEqual([basename(pagesOf(second)), 'current', 'new'])
})
