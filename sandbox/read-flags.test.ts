import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readFlags } from './read-flags'

const webhookSecret = `whsec_${Buffer.alloc(32, 6).toString('base64')}`
const webhookUrl = 'http://127.0.0.1:1/hook'
const tempFolder = mkdtempSync(join(tmpdir(), 'read-flags-'))
afterAll(() => rmSync(tempFolder, { recursive: true, force: true }))

/**
 * Returns the first line of the error for these flags; an empty text if they are valid.
 * `main.test.ts` checks that a start prints only this line.
 */
function readErrorLine(args: readonly string[]): string {
  try {
    readFlags([...args])
    return ''
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'no error'
  }
}

test.each([
  [['--prot', '4010'], '--prot'],
  [['--port', '70000'], '--port'],
  [['--port', 'x'], '--port'],
  [['--payments', '3'], '--payments'],
  [['--seed', '-1'], '--seed'],
  [['stray'], 'stray'],
  [['--environment', 'staging'], '--environment'],
  [['--production-port', '5000'], '--production-port'],
  [['--environment', 'both', '--port', '65535'], '--production-port'],
  [['--rate-limit', '5'], '--rate-limit'],
  [['--environment', 'production', '--rate-limit', '0'], '--rate-limit'],
  [['--dialect', 'latin'], '--dialect'],
  [['--integration', 'bank'], '--integration must be saas or marketplace or account'],
  [['--speed', '0'], '--speed'],
  [['--speed', '100001'], '--speed'],
  [['--speed', 'fast'], '--speed'],
  [['--now', 'tomorrow'], '--now'],
  [['--now', '1999-12-31T23:59:59Z'], '--now'],
  [['--webhook', 'ftp://127.0.0.1/'], '--webhook must be an http or https address'],
  [['--webhook', 'hook'], '--webhook must be an http or https address'],
  [['--webhook', 'http://me:mine@127.0.0.1/'], '--webhook must not hold a user name or password'],
  [
    ['--webhook', webhookUrl, '--webhook-secret', webhookSecret],
    '--webhook-secret is not taken: everybody on this machine can read it there',
  ],
  [['--webhook', webhookUrl, `--webhook-secret=${webhookSecret}`], '--webhook-secret-file'],
  ...['desk.example.com', 'https://desk.example.com/', 'ftp://desk.example.com', '*'].map(
    (origin) =>
      [
        ['--bridge-origin', origin],
        '--bridge-origin must be an origin such as https://desk.example.com',
      ] as const,
  ),
] as [readonly string[], string][])('%j is rejected in one line', (args, named) => {
  const errorLine = readErrorLine(args)
  expect(errorLine).toContain(named)
  expect(errorLine).not.toMatch(/whsec_\w{20}|mine@/)
})

describe('the file of a webhook secret is rejected in one line', () => {
  test.each([
    ['c2hvcnQ=', 0o600, 'must hold whsec_ followed by 24 to 64 bytes in base64'],
    ['whsec_c2hvcnQ=', 0o600, 'must hold whsec_ followed by'],
    [`${webhookSecret}!`, 0o600, 'must hold whsec_ followed by'],
    ['', 0o600, 'must hold whsec_ followed by'],
    [webhookSecret, 0o644, 'must be for its owner alone: chmod 600 it'],
    [webhookSecret, 0o640, 'must be for its owner alone: chmod 600 it'],
  ])('if it contains %j with mode %i', (held, mode, reason) => {
    const webhookSecretPath = join(tempFolder, 'given')
    writeFileSync(webhookSecretPath, held, { mode })
    chmodSync(webhookSecretPath, mode)
    const secretFileErrorLine = readErrorLine([
      '--webhook',
      webhookUrl,
      '--webhook-secret-file',
      webhookSecretPath,
    ])
    expect(secretFileErrorLine).toContain(`--webhook-secret-file ${reason}`)
    expect(secretFileErrorLine).not.toContain(held || 'whsec_c2')
  })

  test('if it does not exist or there is no webhook URL', () => {
    expect(
      readErrorLine(['--webhook', webhookUrl, '--webhook-secret-file', join(tempFolder, 'none')]),
    ).toBe('--webhook-secret-file cannot be read')
    const secretFilePath = join(tempFolder, 'given')
    writeFileSync(secretFilePath, webhookSecret)
    chmodSync(secretFilePath, 0o600)
    expect(readErrorLine(['--webhook-secret-file', secretFilePath])).toContain(
      '--webhook-secret-file needs --webhook with the address',
    )
  })
})
