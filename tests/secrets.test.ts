import fs from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBuiltPages } from './harness/built-pages'
import { dumpAllRows, findLeakedWords, findSecretParts, listFiles } from './harness/leaks'
import { apiKey, configuredSecrets, enteredSecrets, sensitiveWords } from './harness/secret-values'
import { exerciseSecretsDesk, type SecretsDesk, startSecretsDesk } from './harness/secrets-desk'
import { storeKinds } from './harness/store-kinds'

describe.each(storeKinds)('on %s', (kind) => {
  let secretsDesk: SecretsDesk
  beforeAll(async () => {
    secretsDesk = await startSecretsDesk(kind)
    await exerciseSecretsDesk(secretsDesk)
  })
  afterAll(() => secretsDesk?.stop())

  const readSearchedTexts = async (): Promise<[string, Buffer | string][]> => [
    ...secretsDesk.labeledResponseTexts,
    ['the log', secretsDesk.dashboard.log()],
    ...(secretsDesk.databaseUrl
      ? [['the tables', await dumpAllRows(secretsDesk.databaseUrl)] as [string, string]]
      : []),
    ...listFiles(secretsDesk.dashboard.dataDir).map((file): [string, Buffer] => [
      file,
      fs.readFileSync(file),
    ]),
  ]

  test('the searched texts contain real data, and the service received the key', () => {
    const { service, dashboard, labeledResponseTexts, objectIds } = secretsDesk
    expect(service.seen.length).toBeGreaterThan(20)
    expect(service.seen.every((entry) => entry.headers.authorization === `Bearer ${apiKey}`)).toBe(
      true,
    )
    expect(
      labeledResponseTexts.filter(([, text]) => text.includes('12500')).length,
    ).toBeGreaterThan(5)
    expect(
      labeledResponseTexts.filter(
        ([what, text]) => what.startsWith('RSC') && text.includes('text/x-component'),
      ).length,
    ).toBeGreaterThan(5)
    expect(findSecretParts(`!${apiKey.slice(40, 53)}!`, apiKey)).toEqual([apiKey.slice(40, 53)])
    expect(dashboard.log()).toContain('action.attempt')
    for (const value of Object.values(enteredSecrets))
      expect(service.seen.filter(({ body }) => body.includes(value)).length).toBeGreaterThan(2)
    expect(
      labeledResponseTexts.find(([what]) => what === 'the export of the audit')?.[1],
    ).toContain('customers.create')
    expect(
      labeledResponseTexts.find(([what]) => what === 'the export of customers')?.[1],
    ).toContain(objectIds[0])
  })

  test.each(Object.entries(configuredSecrets))(
    'no part of %s is in a response, a page, an export, the log or the store',
    async (_name, secret) => {
      const leakingSinks = (await readSearchedTexts()).flatMap(([what, text]) =>
        findSecretParts(text, secret).length > 0 ? [what] : [],
      )
      expect(leakingSinks).toEqual([])
    },
  )

  test('the session token is not stored anywhere', async () => {
    const sessionToken = secretsDesk.person.jar.get('paydesk.session') ?? ''
    expect(sessionToken.length).toBeGreaterThan(40)
    const storedSinks = (await readSearchedTexts()).filter(
      ([what]) => !secretsDesk.labeledResponseTexts.some(([answer]) => answer === what),
    )
    expect(
      storedSinks.flatMap(([what, text]) =>
        findSecretParts(text, sessionToken).length > 0 ? [what] : [],
      ),
    ).toEqual([])
  })

  test('no paykey token, account number or personal data is in any of them', async () => {
    const leakedWords = (await readSearchedTexts()).flatMap(([what, text]) =>
      findLeakedWords(text, sensitiveWords).map((word) => `${what}: ${word}`),
    )
    expect(leakedWords).toEqual([])
  })

  test('no browser file contains a part of the key', () => {
    const files = listFiles(findBuiltPages('static'))
    expect(files.length).toBeGreaterThan(10)
    expect(
      files.filter((file) => findSecretParts(fs.readFileSync(file), apiKey).length > 0),
    ).toEqual([])
  })
})
