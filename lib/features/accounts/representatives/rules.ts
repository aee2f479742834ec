import type { Representative } from '@/lib/operations/representatives.schema'

type RelatedRepresentative = Pick<Representative, 'id' | 'name' | 'status' | 'relationship'>

const endedStates = ['rejected', 'inactive']

/** `on` is undefined if the service did not return it. */
export type RelationshipItem = {
  id: 'primary' | 'control' | 'owner'
  label: string
  meaning: string
  on: boolean | undefined
}

/** In the order of the interface document. */
export function listRelationships({
  relationship,
}: Pick<Representative, 'relationship'>): readonly RelationshipItem[] {
  const ownershipPercent = relationship?.percent_ownership
  return [
    {
      id: 'primary',
      label: 'Primary',
      meaning: 'The main contact for the service; an account needs exactly one.',
      on: relationship?.primary,
    },
    {
      id: 'control',
      label: 'Control',
      meaning: 'Controls the business; an account needs at least one before onboarding.',
      on: relationship?.control,
    },
    {
      id: 'owner',
      label: ownershipPercent === undefined ? 'Owner' : `Owner of ${ownershipPercent}%`,
      meaning: 'Owns part of the business.',
      on: relationship?.owner,
    },
  ]
}

/** `primary, control, owns 60%`, or `none`. */
export function formatRelationships({
  relationship,
}: Pick<Representative, 'relationship'>): string {
  if (!relationship) return 'unknown'
  const { primary, control, owner, percent_ownership: percent } = relationship
  const ownerText = percent === undefined ? 'owner' : `owns ${percent}%`
  return (
    [primary ? 'primary' : '', control ? 'control' : '', owner ? ownerText : '']
      .filter((part) => part !== '')
      .join(', ') || 'none'
  )
}

/** The service accepts only one primary representative (provider facts 2.16). */
export const findOtherPrimaryRepresentative = (
  people: readonly RelatedRepresentative[],
  selfId?: string,
): RelatedRepresentative | undefined =>
  people.find((person) => person.id !== selfId && person.relationship?.primary === true)

const isCurrentOwner = ({ status, relationship }: RelatedRepresentative): boolean =>
  relationship?.owner === true && !endedStates.includes(status)

export const hasOwner = (people: readonly RelatedRepresentative[]): boolean =>
  people.some(isCurrentOwner)

/** The form uses it to find a total above 100 % before sending. */
export function sumOtherOwnership(
  people: readonly RelatedRepresentative[],
  selfId?: string,
): number {
  const percentages = people
    .filter((person) => person.id !== selfId && isCurrentOwner(person))
    .map(({ relationship }) => relationship?.percent_ownership ?? 0)
  // Percentages may have decimals, and a floating-point sum of decimals is inexact.
  return Math.round(percentages.reduce((sum, part) => sum + part, 0) * 100) / 100
}

/** `percent` is the unparsed text. */
export type TypedRelationship = {
  primary: boolean
  control: boolean
  owner: boolean
  percent: string
}

/**
 * The form shows these warnings, because the service itself refuses only a second primary
 * representative.
 */
export function findRelationshipWarnings(
  typedRelationship: TypedRelationship,
  people: readonly RelatedRepresentative[],
  selfId?: string,
): string[] {
  const otherPrimary = typedRelationship.primary
    ? findOtherPrimaryRepresentative(people, selfId)
    : undefined
  const parsedPercent = parsePercent(typedRelationship.percent) ?? 0
  const totalPercent =
    sumOtherOwnership(people, selfId) +
    (typedRelationship.owner && Number.isFinite(parsedPercent) ? parsedPercent : 0)
  return [
    otherPrimary
      ? `${otherPrimary.name ?? 'Another representative'} is already primary, and an account has one: the service will reject a second.`
      : '',
    typedRelationship.owner && totalPercent > 100
      ? `The owners would hold ${totalPercent}% together, which is more than 100%.`
      : '',
    typedRelationship.primary || typedRelationship.control || typedRelationship.owner
      ? ''
      : 'No relationship is selected: this person does not count in the verification of the account.',
  ].filter((warning) => warning !== '')
}

/** Undefined if the text is empty, NaN if it is no percentage. */
export function parsePercent(typedPercent: string): number | undefined {
  const percentText = typedPercent.replace('%', '').trim()
  if (percentText === '') return undefined
  return /^\d{1,3}([.,]\d{1,4})?$/.test(percentText)
    ? Number(percentText.replace(',', '.'))
    : Number.NaN
}
