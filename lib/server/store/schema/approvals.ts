import 'server-only'
import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { StoredPolicy } from '@/lib/domain/policies'
import { actions } from './actions'
import { now, timestamptz } from './columns'
import { people } from './people'

/** A question of an approver about an action that awaits approval, and the requester's answer. */
export const approvalQuestions = pgTable(
  'approval_questions',
  {
    id: uuid('id').primaryKey(),
    actionId: uuid('action_id')
      .notNull()
      .references(() => actions.id, { onDelete: 'cascade' }),
    askedBy: uuid('asked_by')
      .notNull()
      .references(() => people.id),
    askedAt: timestamptz('asked_at').notNull().default(now),
    question: text('question').notNull(),
    answer: text('answer'),
    answeredAt: timestamptz('answered_at'),
  },
  (table) => [
    // Only one question waits for an answer, so that an answer cannot be meant for another one.
    uniqueIndex('approval_questions_one_open').on(table.actionId).where(sql`answered_at is null`),
    index('approval_questions_action').on(table.actionId, table.askedAt),
  ],
)

/**
 * Version 0 is the default and has no row. At most one version is active, and at most one waits for
 * a second admin. An active version never changes; it can only be replaced.
 */
export const policies = pgTable(
  'policies',
  {
    version: integer('version').primaryKey(),
    state: text('state')
      .$type<'proposed' | 'active' | 'replaced' | 'rejected' | 'withdrawn'>()
      .notNull(),
    policy: jsonb('policy').$type<StoredPolicy>().notNull(),
    proposedBy: uuid('proposed_by')
      .notNull()
      .references(() => people.id),
    proposedAt: timestamptz('proposed_at').notNull().default(now),
    decidedBy: uuid('decided_by').references(() => people.id),
    decidedAt: timestamptz('decided_at'),
    reason: text('reason').notNull(),
  },
  (table) => [
    uniqueIndex('policies_one_proposed').on(table.state).where(sql`state = 'proposed'`),
    uniqueIndex('policies_one_active').on(table.state).where(sql`state = 'active'`),
    check(
      'policies_by_two',
      sql`state not in ('active', 'replaced') or coalesce(${table.decidedBy} <> ${table.proposedBy}, false)`,
    ),
  ],
)
