import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { followChanges } from './harness/follow-changes'
import { addLimitedPerson, listActiveAccounts, readAuditRows } from './harness/objects'
import { type Person, signIn } from './harness/person'
import type { MadePayout, Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import {
  createUnknownOutcomeAction,
  decideOutcome,
  waitForActionState,
} from './harness/unknown-actions'
import { waitUntil } from './harness/wait-until'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let db: Client
let operator: Person
let reviewer: Person
let admin: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ sandbox, db, operator } = testStack)
  reviewer = await signIn(testStack.dashboard.url, 'reviewer')
  admin = await signIn(testStack.dashboard.url, 'admin')
})
afterEach(() => sandbox.clearFaults())
afterAll(() => testStack?.stop())

const evidence = 'The provider confirmed in ticket 4711 that the release went through.'
const sendRelease = (payout: MadePayout) => operator.decide('release', payout)

test('two deciders settle an action, which is audited, sends nothing and frees the object', async () => {
  const { payout, id } = await createUnknownOutcomeAction(testStack, sendRelease, 'payouts.release')
  expect(await operator.decide('cancel', payout)).toMatchObject({
    status: 409,
    body: { error: { code: 'action_open' } },
  })
  const seqBefore = await sandbox.lastSeq()
  const proposalEvidence = 'Support read the release to me from its console.'
  const proposalReply = await decideOutcome(admin, id, {
    outcome: 'applied',
    evidence: proposalEvidence,
  })
  const expectedProposal = {
    outcome: 'applied',
    by: 'Dana Admin',
    evidence: proposalEvidence,
    at: expect.any(String),
    own: true,
  }
  expect(proposalReply).toMatchObject({
    status: 200,
    body: { action: { id, state: 'needs_human', decided: null, proposal: expectedProposal } },
  })
  expect(await operator.decide('cancel', payout)).toMatchObject({
    status: 409,
    body: { error: { code: 'action_open' } },
  })
  const reply = await decideOutcome(reviewer, id, { outcome: 'applied', evidence })
  const expectedOutcome = {
    outcome: 'applied',
    by: 'Rhea Reviewer',
    evidence,
    at: expect.any(String),
  }
  expect(reply).toMatchObject({
    status: 200,
    body: { action: { id, state: 'applied', decided: expectedOutcome } },
  })
  expect(await operator.action(id)).toMatchObject({
    status: 200,
    body: { action: { state: 'applied', error: null, decided: expectedOutcome } },
  })
  expect(await sandbox.requests(seqBefore)).toEqual([])
  const [row] = await readAuditRows(db, 'payouts.release.decided')
  const sha256 = createHash('sha256').update(evidence).digest('hex')
  expect(row).toMatchObject({
    action: id,
    target: `payouts/${payout.id}`,
    outcome: 'applied',
    evidence_sha256: sha256,
  })
  const { rows } = await db.query(`select id from people where email = 'reviewer@paydesk.test'`)
  expect(row?.actor).toBe(rows[0].id)
  expect(JSON.stringify(row)).not.toContain('ticket')
  const [proposedRow] = await readAuditRows(db, 'payouts.release.proposed')
  expect(proposedRow).toMatchObject({
    action: id,
    outcome: 'applied',
    evidence_sha256: createHash('sha256').update(proposalEvidence).digest('hex'),
  })
  expect((await operator.decide('cancel', payout)).status).toBe(200)
})

test('open pages receive an event for an unknown outcome and for its decision', async () => {
  const changeFeed = await followChanges(reviewer)
  const { payout, id } = await createUnknownOutcomeAction(testStack, sendRelease, 'payouts.release')
  const listActionChanges = () =>
    changeFeed.heard().filter(({ resource, ids }) => resource === 'actions' && ids?.includes(id))
  await waitUntil('the unknown outcome to be told', () => listActionChanges()[0] ?? null)
  expect(listActionChanges()[0]?.ids).toEqual([id, payout.id])
  const changeCountBefore = listActionChanges().length
  expect((await decideOutcome(admin, id, { outcome: 'refused', evidence })).status).toBe(200)
  await waitUntil('what one said to be told', () => listActionChanges()[changeCountBefore] ?? null)
  const changeCountAfterProposal = listActionChanges().length
  expect((await decideOutcome(reviewer, id, { outcome: 'refused', evidence })).status).toBe(200)
  await waitUntil(
    'the decision to be told',
    () => listActionChanges()[changeCountAfterProposal] ?? null,
  )
  changeFeed.stop()
})

test('a proposal without agreement stays, and a different one replaces it', async () => {
  const { id } = await createUnknownOutcomeAction(testStack, sendRelease, 'payouts.release')
  const readAction = async () => (await operator.action(id)).body.action
  expect((await decideOutcome(reviewer, id, { outcome: 'applied', evidence })).status).toBe(200)
  expect((await decideOutcome(reviewer, id, { outcome: 'applied', evidence })).status).toBe(200)
  expect(await readAction()).toMatchObject({
    state: 'needs_human',
    proposal: { outcome: 'applied', by: 'Rhea Reviewer' },
  })
  expect((await decideOutcome(admin, id, { outcome: 'refused', evidence })).status).toBe(200)
  expect(await readAction()).toMatchObject({
    state: 'needs_human',
    proposal: { outcome: 'refused', by: 'Dana Admin' },
  })
  expect((await decideOutcome(reviewer, id, { outcome: 'refused', evidence })).status).toBe(200)
  expect(await readAction()).toMatchObject({
    state: 'refused',
    decided: { outcome: 'refused', by: 'Rhea Reviewer' },
  })
})

test('of two concurrent second decisions one counts', async () => {
  const { id } = await createUnknownOutcomeAction(testStack, sendRelease, 'payouts.release')
  const otherPerson = await signIn(testStack.dashboard.url, 'admin2@paydesk.test')
  expect((await decideOutcome(admin, id, { outcome: 'applied', evidence })).status).toBe(200)
  const outcomeReplies = await Promise.all([
    decideOutcome(reviewer, id, { outcome: 'applied', evidence }),
    decideOutcome(otherPerson, id, { outcome: 'applied', evidence }),
  ])
  expect(outcomeReplies.map((reply) => reply.status).sort()).toEqual([200, 409])
  expect(outcomeReplies.find((reply) => reply.status === 409)?.body.error?.code).toBe('changed')
  expect(
    (await readAuditRows(db, 'payouts.release.decided')).filter((row) => row.action === id),
  ).toHaveLength(1)
})

test('a decision is refused unless the action waits for one', async () => {
  const payout = await sandbox.makePayout()
  await sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 500,
    body: 'none',
    count: 20,
  })
  const unsettledActionId = (await sendRelease(payout)).body.action?.id ?? ''
  expect(
    await decideOutcome(reviewer, unsettledActionId, { outcome: 'applied', evidence }),
  ).toMatchObject({
    status: 409,
    body: { error: { code: 'in_progress' } },
  })
  await sandbox.clearFaults()
  // Make the retry of the action due now. A later retry could use up a fault of the next test.
  await db.query('update actions set next_check_at = now() where id = $1', [unsettledActionId])
  await waitForActionState(db, unsettledActionId, 'applied')
  const appliedActionId = (await sendRelease(await sandbox.makePayout())).body.action?.id ?? ''
  expect(
    await decideOutcome(reviewer, appliedActionId, { outcome: 'refused', evidence }),
  ).toMatchObject({
    status: 409,
    body: { error: { code: 'changed' } },
  })
})

test('a decision requires a decider of that account, Paydesk’s own origin and evidence', async () => {
  const { id, payout } = await createUnknownOutcomeAction(testStack, sendRelease, 'payouts.release')
  const validDecision = { outcome: 'applied', evidence }
  expect(await decideOutcome(operator, id, validDecision)).toMatchObject({
    status: 403,
    body: { error: { code: 'forbidden' } },
  })
  expect(await readAuditRows(db, 'payouts.release.denied')).toMatchObject([
    { target: `payouts/${payout.id}` },
  ])
  const activeAccountIds = await listActiveAccounts(reviewer)
  const otherAccount =
    activeAccountIds.find((account) => payout.account !== `acct_${account}`) ?? ''
  await addLimitedPerson(db, 'elsewhere@paydesk.test', 'reviewer', otherAccount)
  const otherAccountPerson = await signIn(testStack.dashboard.url, 'elsewhere@paydesk.test')
  expect((await decideOutcome(otherAccountPerson, id, validDecision)).status).toBe(404)
  const crossSiteRequest = {
    method: 'POST',
    headers: { origin: 'https://elsewhere.test' },
    body: JSON.stringify(validDecision),
  }
  expect(
    (await reviewer.send(`/api/sandbox/desk/actions/${id}/decision`, crossSiteRequest)).status,
  ).toBe(403)
  for (const [bad, reference] of [
    [{ outcome: 'maybe', evidence }, 'outcome'],
    [{ outcome: 'applied' }, 'evidence'],
    [{ outcome: 'applied', evidence: 'trust me' }, 'evidence'],
    [{ outcome: 'applied', evidence: 'x'.repeat(501) }, 'evidence'],
    [{ ...validDecision, state: 'applied' }, 'state'],
  ] as const) {
    expect(await decideOutcome(reviewer, id, bad)).toMatchObject({
      status: 422,
      body: { error: { items: [{ reference }] } },
    })
  }
  expect(await operator.action(id)).toMatchObject({
    body: { action: { state: 'needs_human', decided: null } },
  })
})
