import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { type OlderStore, openOlderStore } from './harness/older-store'
import { storeKinds } from './harness/store-kinds'

describe.each(storeKinds)('an older store, on %s', (kind) => {
  let olderStore: OlderStore
  afterEach(() => olderStore?.close())

  test('views shared earlier are visible to people who see what their owner sees', async () => {
    olderStore = await openOlderStore(kind, '0008_kept-keys')
    const [platformPersonId, twoAccountsPersonId, formerPersonId] = [
      randomUUID(),
      randomUUID(),
      randomUUID(),
    ]
    const accountIds = [randomUUID(), randomUUID()].sort()
    for (const id of [platformPersonId, twoAccountsPersonId, formerPersonId]) {
      await olderStore.run(
        `insert into people (id, email, name, password_hash) values ('${id}', '${id}@paydesk.test', 'Somebody', '')`,
      )
    }
    const insertGrant = (id: string, account: string, environment = 'sandbox') =>
      olderStore.run(
        `insert into grants (person_id, role, environment, account_id) values ('${id}', 'operator', '${environment}', ${account})`,
      )
    await insertGrant(platformPersonId, 'null')
    await insertGrant(platformPersonId, `'${accountIds[0]}'`)
    for (const account of [...accountIds, accountIds[0]])
      await insertGrant(twoAccountsPersonId, `'${account}'`)
    await insertGrant(formerPersonId, `'${accountIds[0]}'`, 'production')
    const insertView = (creatorId: string, name: string, shared: boolean) =>
      olderStore.run(
        `insert into saved_views (environment, owner_id, list, name, search, shared) values ('sandbox', '${creatorId}', 'payments', '${name}', '', ${shared})`,
      )
    await insertView(platformPersonId, 'everywhere', true)
    await insertView(twoAccountsPersonId, 'of two', true)
    await insertView(twoAccountsPersonId, 'own', false)
    await insertView(formerPersonId, 'gone', true)
    await olderStore.migrate()
    expect(await olderStore.run('select name, accounts from saved_views order by name')).toEqual([
      { name: 'everywhere', accounts: null },
      { name: 'gone', accounts: null },
      { name: 'of two', accounts: accountIds },
      { name: 'own', accounts: null },
    ])
    await expect(
      olderStore.run(`update saved_views set shared = false where name = 'of two'`),
    ).rejects.toThrow('saved_views_audience')
    await expect(
      olderStore.run(`update saved_views set accounts = '{}' where name = 'of two'`),
    ).rejects.toThrow('saved_views_audience')
  })
})
