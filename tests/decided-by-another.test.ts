import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DeskAndStore, startDeskAndStore } from './harness/desk-and-store'
import { dialect } from './harness/dialect'
import { type Person, signIn } from './harness/person'
import { type MadePayout, type Sandbox, startSandbox } from './harness/sandbox'
import { storeKinds } from './harness/store-kinds'
import { waitUntil } from './harness/wait-until'

const evidence = 'The provider confirmed in ticket 4711 that the release went through.'
const buildOutcomeSql = (personIdSql: string, outcome = 'refused') =>
  `jsonb_build_object('outcome', '${outcome}', 'by', ${personIdSql}, 'at', now(), 'evidence', 'none')`

// Only the dialect `document` runs on both stores, to save time. The store does not depend on the
// dialect. Tests on PGlite are slow, because the dashboard must stop before each SQL query of the
// test.
const testedStoreKinds = dialect.name === 'document' ? storeKinds : (['PostgreSQL'] as const)

describe.each(testedStoreKinds)('a sender does not decide their own action, on %s', (kind) => {
  let sandbox: Sandbox
  let testStack: DeskAndStore

  beforeAll(async () => {
    sandbox = await startSandbox()
    testStack = await startDeskAndStore(kind, {
      serviceUrl: sandbox.url,
      apiKey: sandbox.keys.full,
    })
  })
  afterAll(async () => {
    await testStack?.stop()
    await sandbox?.stop()
  })

  const decideOutcome = (person: Person, id: string, outcome = 'refused') =>
    person.ask('POST', `/api/sandbox/desk/actions/${id}/decision`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome, evidence }),
    })

  /**
   * Sends a release whose outcome stays unknown. Then sets its first attempt back 21 hours: Paydesk
   * repeats no action of that age.
   */
  async function createUnknownOutcomeRelease(
    person: Person,
  ): Promise<{ id: string; payout: MadePayout }> {
    const payout = await sandbox.makePayout()
    await sandbox.fault({
      operation: 'payouts.release',
      match: payout.id,
      kind: 'status',
      status: 500,
      body: 'none',
      count: 3,
    })
    const id = (await person.decide('release', payout)).body.action?.id ?? ''
    await testStack.sql(
      `update actions set first_sent_at = now() - interval '21 hours', next_check_at = now() where id = '${id}'`,
    )
    await testStack.shut()
    await waitUntil('it to burn out', async () =>
      (await person.action(id)).body.action?.state === 'needs_human' ? true : null,
    )
    await sandbox.clearFaults()
    return { id, payout }
  }

  test('an admin is refused and audited, with a message who can, and the object stays blocked', async () => {
    const admin = await signIn(testStack.dashboard.url, 'admin')
    const { id, payout } = await createUnknownOutcomeRelease(admin)
    const seqBefore = await sandbox.lastSeq()
    for (const outcome of ['refused', 'applied']) {
      const { status, body } = await decideOutcome(admin, id, outcome)
      expect({ status, error: body.error }).toMatchObject({
        status: 403,
        error: {
          code: 'forbidden',
          detail:
            'You sent this action: two other people, reviewers or admins, must agree on its outcome.',
        },
      })
    }
    expect(await admin.action(id)).toMatchObject({
      body: { action: { state: 'needs_human', decided: null, others_can_decide: true } },
    })
    expect(await admin.decide('release', payout)).toMatchObject({
      status: 409,
      body: { error: { code: 'action_open' } },
    })
    expect(await sandbox.requests(seqBefore)).toEqual([])
    const deniedRows = await testStack.sql(
      `select 1 from audit where body::json ->> 'code' = 'payouts.release.denied'`,
    )
    expect(deniedRows).toHaveLength(2)
    await testStack.shut()

    const reviewer = await signIn(testStack.dashboard.url, 'reviewer')
    const otherPerson = await signIn(testStack.dashboard.url, 'admin2@paydesk.test')
    expect(await decideOutcome(otherPerson, id)).toMatchObject({
      status: 200,
      body: { action: { state: 'needs_human', decided: null } },
    })
    expect(await decideOutcome(reviewer, id)).toMatchObject({
      status: 200,
      body: { action: { decided: { by: 'Rhea Reviewer' } } },
    })
    expect((await admin.action(id)).body.action).toMatchObject({
      state: 'refused',
      decided: { outcome: 'refused' },
      others_can_decide: null,
    })
  })

  test('an operator who became a reviewer cannot decide their earlier action', async () => {
    const operator = await signIn(testStack.dashboard.url, 'operator')
    const { id } = await createUnknownOutcomeRelease(operator)
    await testStack.sql(`insert into grants (person_id, role, environment)
      select id, 'reviewer', 'sandbox' from people where email = 'operator@paydesk.test'`)
    await testStack.shut()
    await waitUntil('the role to count', async () =>
      (await decideOutcome(operator, id)).body.error?.detail?.startsWith('Only') ? null : true,
    )
    expect(await decideOutcome(operator, id)).toMatchObject({
      status: 403,
      body: { error: { detail: expect.stringMatching(/^You sent this/) } },
    })
    await testStack.sql(
      `update people set disabled_at = now() where email in ('admin@paydesk.test', 'admin2@paydesk.test', 'reviewer@paydesk.test')`,
    )
    await testStack.shut()
    const sameSenderMessage =
      'You sent this action. Two people besides the sender and the approver must agree on the outcome, and there are not two: an admin must grant the reviewer role to another person.'
    expect(await decideOutcome(operator, id)).toMatchObject({
      status: 403,
      body: { error: { detail: sameSenderMessage } },
    })
    expect((await operator.action(id)).body.action).toMatchObject({
      state: 'needs_human',
      others_can_decide: false,
    })
    await testStack.sql(
      `update people set disabled_at = null; delete from grants where role = 'reviewer' and person_id = (select id from people where email = 'operator@paydesk.test')`,
    )
    await testStack.shut()
  })

  test('the database rejects the sender in every form, and accepts another person', async () => {
    const operator = await signIn(testStack.dashboard.url, 'operator')
    const { id } = await createUnknownOutcomeRelease(operator)
    const updateAction = (assignments: string) =>
      testStack.sql(`update actions set ${assignments} where id = '${id}'`)
    const reviewerIdSql = `(select id from people where email = 'reviewer@paydesk.test')`
    for (const by of ['actor_id', 'upper(actor_id::text)']) {
      await expect(
        updateAction(`state = 'refused', settled_at = now(), decision = ${buildOutcomeSql(by)}`),
      ).rejects.toThrow('actions_decided_by_another')
    }
    await updateAction(`decision = ${buildOutcomeSql(reviewerIdSql)}`)
    await expect(updateAction(`actor_id = ${reviewerIdSql}`)).rejects.toThrow(
      'actions_decided_by_another',
    )
    await expect(
      testStack.sql(`insert into actions select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'target', null,
        'idempotency_key', 'pdk_another_key', 'decision', ${buildOutcomeSql('a.actor_id')}))).* from actions a where id = '${id}'`),
    ).rejects.toThrow('actions_decided_by_another')
    await testStack.shut()
  })
})
