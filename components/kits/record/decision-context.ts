'use client'

import { createContext } from 'react'

/**
 * Set on the page of an approval, which shows a record without its own actions. `warned`: the
 * sentences of the warnings that the requester accepted, by the id of their check.
 */
export type RecordDecision = { warned: ReadonlyMap<string, string> }

export const RecordDecisionContext = createContext<RecordDecision | null>(null)
