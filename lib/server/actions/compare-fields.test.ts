import { expect, test } from 'vitest'
import { compareFields, ignoreAddedDocuments } from './compare-fields'

const proof = { document_id: 'a', document_name: 'proof.pdf' }
const otherProof = { document_id: 'b', document_name: 'contract.pdf' }
const seenPayment = { amount: '100', updated_at: '09:00', documents: [proof] }

test.each([
  [
    'an added document',
    { ...seenPayment, updated_at: '09:05', documents: [otherProof, proof] },
    [],
  ],
  ['no difference', seenPayment, []],
  ['a later time alone', { ...seenPayment, updated_at: '09:05' }, ['updated_at']],
  [
    'another amount beside an added document',
    { ...seenPayment, amount: '90', documents: [proof, otherProof] },
    ['amount'],
  ],
  [
    'a removed document',
    { ...seenPayment, documents: [] },
    ['documents.1.document_id', 'documents.1.document_name'],
  ],
  [
    'a replaced document',
    { ...seenPayment, documents: [otherProof] },
    ['documents.1.document_id', 'documents.1.document_name'],
  ],
])('the fields that changed: %s', (_name, current, changedNames) => {
  const fields = compareFields(seenPayment, ignoreAddedDocuments(seenPayment, current))
  expect(fields.filter(({ changed }) => changed).map(({ name }) => name)).toEqual(changedNames)
})
