import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const sandboxFolder = fileURLToPath(new URL('.', import.meta.url))

let sandboxCopyFolder = ''
let processGroupId: number | undefined
afterEach(() => {
  // Kill the process group, because npm does not pass signals to its scripts.
  if (processGroupId !== undefined) process.kill(-processGroupId, 'SIGKILL')
  rmSync(sandboxCopyFolder, { recursive: true, force: true })
})

/** Copies the sandbox folder to a temporary folder, without the rest of the project. */
function copySandbox(): void {
  sandboxCopyFolder = mkdtempSync(join(tmpdir(), 'sbx-alone-'))
  const excludedNames = ['node_modules', 'build', 'data']
  cpSync(sandboxFolder, sandboxCopyFolder, {
    recursive: true,
    filter: (path) => !excludedNames.includes(basename(path)),
  })
}

/**
 * Links the packages in the `dependencies` of package.json and no others, so that an undeclared
 * import fails as after `npm install --omit=dev`.
 */
function linkDeclaredPackages(): void {
  const { dependencies } = JSON.parse(
    readFileSync(join(sandboxCopyFolder, 'package.json'), 'utf8'),
  ) as {
    dependencies: Record<string, string>
  }
  for (const name of Object.keys(dependencies)) {
    const packageFolder = [
      join(sandboxFolder, 'node_modules', name),
      join(sandboxFolder, '../node_modules', name),
    ].find(existsSync)
    if (packageFolder === undefined) throw new Error(`${name} is declared and not installed`)
    const packageLinkPath = join(sandboxCopyFolder, 'node_modules', name)
    mkdirSync(dirname(packageLinkPath), { recursive: true })
    symlinkSync(packageFolder, packageLinkPath)
  }
  mkdirSync(join(sandboxCopyFolder, 'node_modules/.bin'))
  symlinkSync('../esbuild/bin/esbuild', join(sandboxCopyFolder, 'node_modules/.bin/esbuild'))
}

/**
 * Runs `npm start` and returns the URL from its line `sandbox ready <url>`. Rejects with the output
 * if the process exits first.
 */
function startSandboxCopy(...flags: string[]): Promise<string> {
  const child = spawn('npm', ['start', '--', ...flags], {
    cwd: sandboxCopyFolder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  processGroupId = child.pid
  const outputLines: string[] = []
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      processGroupId = undefined
      reject(new Error(`npm start ended with ${code}: ${outputLines.join('\n')}`))
    })
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        outputLines.push(line)
        const [, url] = /^sandbox ready (\S+)$/.exec(line) ?? []
        if (url) resolve(url)
      })
    }
  })
}

test('the sandbox builds and runs outside the repository with only its declared packages', async () => {
  copySandbox()
  linkDeclaredPackages()
  const url = await startSandboxCopy('--port', '0', '--data', 'data', '--payments', '50', '--tls')
  const caCertificate = readFileSync(join(sandboxCopyFolder, 'data/tls-cert.pem'))
  const fetchPath = (path: string, authorization = '') =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      get(`${url}${path}`, { ca: caCertificate, headers: { authorization } }, async (answer) =>
        resolve([answer.statusCode, await text(answer)]),
      ).once('error', reject)
    })
  const { full } = JSON.parse(
    readFileSync(join(sandboxCopyFolder, 'data/api-keys.json'), 'utf8'),
  ) as { full: string }
  const [status, accounts] = await fetchPath('/v1/accounts', `Bearer ${full}`)
  expect([status, (JSON.parse(accounts) as { data: unknown[] }).data.length > 0]).toEqual([
    200,
    true,
  ])
  // The sandbox reads this file from its package `swagger-ui-dist` at run time. The file is not in
  // the bundle.
  expect((await fetchPath('/reference/swagger-ui.css'))[0]).toBe(200)
})
