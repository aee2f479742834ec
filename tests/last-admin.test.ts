import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createPeopleHelpers,
  goodPassword,
  peoplePath,
  toJsonInit,
  viewerGrant,
} from './harness/people'
import type { Person } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import { trySignIn } from './harness/sign-in'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let admin: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  admin = await testStack.signIn('admin')
})
afterAll(() => testStack?.stop())

const { postJson, createSignedInPerson, findPersonId } = createPeopleHelpers(() => ({
  dashboardUrl: testStack.dashboard.url,
  admin,
}))

describe('the last platform admin', () => {
  const adminGrant = { ...viewerGrant, role: 'admin' }

  test('cannot be removed by an admin whose own role expires', async () => {
    const grantExpiryTime = new Date(Date.now() + 3_600_000).toISOString()
    const expiringAdmin = await createSignedInPerson('guest', {
      grants: [{ ...adminGrant, expires_at: grantExpiryTime }],
    })
    const [danaId, adaId] = [
      await findPersonId('admin@paydesk.test'),
      await findPersonId('admin2@paydesk.test'),
    ]
    const deactivatePerson = (id: string) =>
      expiringAdmin.send(`${peoplePath}/${id}/deactivate`, { method: 'POST', ...toJsonInit({}) })
    expect((await deactivatePerson(adaId)).status).toBe(200)
    const refusedReply = await deactivatePerson(danaId)
    expect([refusedReply.status, await refusedReply.text()]).toEqual([
      403,
      expect.stringContaining('last platform admin in sandbox'),
    ])
    const addGrantReply = await expiringAdmin.send(`${peoplePath}/${adaId}/grants`, {
      method: 'POST',
      ...toJsonInit(adminGrant),
    })
    expect([addGrantReply.status, await addGrantReply.text()]).toEqual([
      403,
      expect.stringContaining('longer than you hold it'),
    ])
    await postJson(`/${adaId}/activate`)
    await postJson(`/${expiringAdmin.id}/deactivate`)
  })

  test('cannot be removed, and of two who remove each other concurrently one stays', async () => {
    const [firstAdmin, secondAdmin] = [
      await createSignedInPerson('anna', { grants: [adminGrant] }),
      await createSignedInPerson('bert', { grants: [adminGrant] }),
    ]
    const [dana, ada] = [
      await findPersonId('admin@paydesk.test'),
      await findPersonId('admin2@paydesk.test'),
    ]
    const postToPersonForStatus = (send: Person['send'], id: string, subpath: string) =>
      send(`${peoplePath}/${id}/${subpath}`, { method: 'POST', ...toJsonInit({}) }).then(
        ({ status }) => status,
      )
    expect(await postToPersonForStatus(firstAdmin.send, dana, 'deactivate')).toBe(200)
    expect(await postToPersonForStatus(firstAdmin.send, ada, 'deactivate')).toBe(200)
    for (let round = 0; round < 5; round += 1) {
      const deactivationStatuses = await Promise.all([
        postToPersonForStatus(firstAdmin.send, secondAdmin.id, 'deactivate'),
        postToPersonForStatus(secondAdmin.send, firstAdmin.id, 'deactivate'),
      ])
      const { rows } = await testStack.db.query(
        'select id from people where id = any($1) and disabled_at is null',
        [[firstAdmin.id, secondAdmin.id]],
      )
      expect([rows.length, deactivationStatuses.filter((status) => status === 200).length]).toEqual(
        [1, 1],
      )
      await testStack.db.query('update people set disabled_at = null where id = any($1)', [
        [firstAdmin.id, secondAdmin.id, dana],
      ])
      for (const { id, name } of [
        { id: firstAdmin.id, name: 'anna' },
        { id: secondAdmin.id, name: 'bert' },
      ]) {
        const { send } = await trySignIn(
          testStack.dashboard.url,
          `${name}@company.test`,
          goodPassword,
        )
        Object.assign(id === firstAdmin.id ? firstAdmin : secondAdmin, { send })
      }
      expect(await postToPersonForStatus(firstAdmin.send, dana, 'deactivate')).toBe(200)
    }
    await testStack.db.query('update people set disabled_at = null where id = any($1)', [
      [dana, ada],
    ])
  })
})
