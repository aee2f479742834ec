import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const sandboxFolder = fileURLToPath(new URL('.', import.meta.url))

let folder = ''
let group: number | undefined
afterEach(() => {
  // Kill the process group, because npm does not pass signals to its scripts.
  if (group !== undefined) process.kill(-group, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Copies the sandbox folder to a temporary folder, without the rest of the project. */
function copySandbox(): void {
  folder = mkdtempSync(join(tmpdir(), 'sbx-alone-'))
  const excludedNames = ['node_modules', 'build', 'data']
  cpSync(sandboxFolder, folder, { recursive: true, filter: (path) => !excludedNames.includes(basename(path)) })
}

/** Links the packages that package.json declares, as `npm install --omit=dev` would install them, and no others. */
function linkDeclaredPackages(): void {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
  for (const name of Object.keys(dependencies)) {
    const source = [join(sandboxFolder, 'node_modules', name), join(sandboxFolder, '../node_modules', name)].find(existsSync)
    if (source === undefined) throw new Error(`${name} is declared and not installed`)
    const target = join(folder, 'node_modules', name)
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(source, target)
  }
  mkdirSync(join(folder, 'node_modules/.bin'))
  symlinkSync('../esbuild/bin/esbuild', join(folder, 'node_modules/.bin/esbuild'))
}

/** Runs `npm start` and returns the URL from its "ready" line. Rejects with the output if the process exits first. */
function start(...flags: string[]): Promise<string> {
  const child = spawn('npm', ['start', '--', ...flags], { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  group = child.pid
  const lines: string[] = []
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      group = undefined
      reject(new Error(`npm start ended with ${code}: ${lines.join('\n')}`))
    })
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line)
        const [, url] = /^sandbox ready (\S+)$/.exec(line) ?? []
        if (url) resolve(url)
      })
    }
  })
}

test('the sandbox builds and runs outside the repository with only its declared packages', async () => {
  copySandbox()
  linkDeclaredPackages()
  const url = await start('--port', '0', '--data', 'data', '--payments', '50', '--tls')
  const ca = readFileSync(join(folder, 'data/tls-cert.pem'))
  const readPath = (path: string, authorization = '') =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      get(`${url}${path}`, { ca, headers: { authorization } }, async (answer) => resolve([answer.statusCode, await text(answer)])).once(
        'error',
        reject,
      )
    })
  const { full } = JSON.parse(readFileSync(join(folder, 'data/api-keys.json'), 'utf8')) as { full: string }
  const [status, accounts] = await readPath('/v1/accounts', `Bearer ${full}`)
  expect([status, (JSON.parse(accounts) as { data: unknown[] }).data.length > 0]).toEqual([200, true])
  // This file comes from a package that is located at run time.
  expect((await readPath('/reference/swagger-ui.css'))[0]).toBe(200)
})
