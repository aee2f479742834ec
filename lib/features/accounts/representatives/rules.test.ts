import { describe, expect, test } from 'vitest'
import {
  findOtherPrimaryRepresentative,
  findRelationshipWarnings,
  formatRelationships,
  listRelationships,
  parsePercent,
  sumOtherOwnership,
} from './rules'

type RelatedRepresentative = Parameters<typeof findOtherPrimaryRepresentative>[0][number]
type Relationship = NonNullable<RelatedRepresentative['relationship']>

const createRelationship = (relationshipFields: Partial<Relationship>): Relationship => ({
  primary: false,
  control: false,
  owner: false,
  percent_ownership: undefined,
  title: undefined,
  ...relationshipFields,
})
const createRepresentative = (
  id: string,
  relationshipFields: Partial<Relationship>,
  status = 'active',
): RelatedRepresentative => ({
  id,
  name: id,
  status,
  relationship: createRelationship(relationshipFields),
})

const ann = createRepresentative('Ann', {
  primary: true,
  control: true,
  owner: true,
  percent_ownership: 60,
})
const bob = createRepresentative('Bob', { owner: true, percent_ownership: 40 })

describe('texts', () => {
  test('a relationship has a one-line text', () => {
    expect(formatRelationships(ann)).toBe('primary, control, owns 60%')
    expect(formatRelationships(createRepresentative('Cy', { owner: true }))).toBe('owner')
    expect(formatRelationships(createRepresentative('Cy', {}))).toBe('none')
    expect(formatRelationships({ relationship: undefined })).toBe('unknown')
  })

  test('a relationship flag that the service omits is unknown, not off', () => {
    expect(
      listRelationships({ relationship: createRelationship({ control: undefined }) }).map(
        (tick) => tick.on,
      ),
    ).toEqual([false, undefined, false])
    expect(listRelationships(bob).at(-1)?.label).toBe('Owner of 40%')
  })
})

describe('warnings', () => {
  const typedRelationship = { primary: true, control: false, owner: false, percent: '' }

  test('a second primary is named, and a person does not conflict with themselves', () => {
    expect(findRelationshipWarnings(typedRelationship, [ann, bob])).toEqual([
      'Ann is already primary, and an account has one: the service will reject a second.',
    ])
    expect(findRelationshipWarnings(typedRelationship, [ann, bob], 'Ann')).toEqual([])
    expect(findOtherPrimaryRepresentative([bob])).toBeUndefined()
  })

  test('owners cannot hold more than 100 percent, and inactive owners do not count', () => {
    const ownerRelationship = { primary: false, control: true, owner: true, percent: '0.5' }
    expect(findRelationshipWarnings(ownerRelationship, [ann, bob])).toEqual([
      'The owners would hold 100.5% together, which is more than 100%.',
    ])
    expect(
      findRelationshipWarnings({ ...ownerRelationship, percent: '0,5 %' }, [ann, bob]),
    ).toHaveLength(1)
    expect(
      sumOtherOwnership([
        ann,
        createRepresentative('Cy', { owner: true, percent_ownership: 40 }, 'inactive'),
      ]),
    ).toBe(60)
    expect(sumOtherOwnership([ann, bob], 'Bob')).toBe(60)
    expect(
      sumOtherOwnership([
        createRepresentative('A', { owner: true, percent_ownership: 33.1 }),
        createRepresentative('B', { owner: true, percent_ownership: 33.2 }),
      ]),
    ).toBe(66.3)
  })

  test('a person without any relationship yields a warning', () => {
    expect(findRelationshipWarnings({ ...typedRelationship, primary: false }, [])).toHaveLength(1)
  })
})

test.each([
  ['60', 60],
  ['12.5 %', 12.5],
  ['12,5', 12.5],
  ['', undefined],
  ['half', Number.NaN],
])('%j is %s percent', (text, percent) => {
  expect(parsePercent(text)).toBe(percent)
})
