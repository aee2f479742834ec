import { expect, test } from 'vitest'
import { compareFields, ignoreAddedDocuments } from './compare-fields'

const proof = { document_id: 'a', document_name: 'proof.pdf' }
const otherProof = { document_id: 'b', document_name: 'contract.pdf' }
const seen = { amount: '100', updated_at: '09:00', documents: [proof] }

test.each([
  ['an added document', { ...seen, updated_at: '09:05', documents: [otherProof, proof] }, []],
  ['no difference', seen, []],
  ['a later time alone', { ...seen, updated_at: '09:05' }, ['updated_at']],
  [
    'another amount beside an added document',
    { ...seen, amount: '90', documents: [proof, otherProof] },
    ['amount'],
  ],
  [
    'a removed document',
    { ...seen, documents: [] },
    ['documents.1.document_id', 'documents.1.document_name'],
  ],
  [
    'a replaced document',
    { ...seen, documents: [otherProof] },
    ['documents.1.document_id', 'documents.1.document_name'],
  ],
])('the fields that changed: %s', (_name, current, changedNames) => {
  const fields = compareFields(seen, ignoreAddedDocuments(seen, current))
  expect(fields.filter(({ changed }) => changed).map(({ name }) => name)).toEqual(changedNames)
})
