import { type MetadataLine, metadataFault, metadataLines, metadataOf } from '@/lib/domain/metadata-rules'
import { percentOf } from '@/lib/domain/representative-rules'
import type { Representative } from '@/lib/operations/representatives.schema'

/** What the form of a representative holds, as typed. */
export type RepresentativeValues = {
  account_id: string
  first_name: string
  last_name: string
  dob: string
  ssn_last4: string
  email: string
  mobile_number: string
  relationship: { primary: boolean; control: boolean; owner: boolean; percent_ownership: string; title: string }
  external_id: string
  metadata: MetadataLine[]
}

/** A person nobody knows yet, for an account (a bare id), or none chosen. */
export const newValues = (account: string): RepresentativeValues => ({
  account_id: account,
  ...{ first_name: '', last_name: '', dob: '', ssn_last4: '', email: '', mobile_number: '' },
  relationship: { primary: false, control: false, owner: false, percent_ownership: '', title: '' },
  external_id: '',
  metadata: [],
})

/** What is known of a person. What is masked begins empty: a mask is no value, and must never be sent as one. */
export function valuesOf(person: Representative): RepresentativeValues {
  const { relationship } = person
  return {
    ...newValues(person.account_id ?? ''),
    first_name: person.first_name ?? '',
    last_name: person.last_name ?? '',
    relationship: {
      primary: relationship?.primary ?? false,
      control: relationship?.control ?? false,
      owner: relationship?.owner ?? false,
      percent_ownership: relationship?.percent_ownership?.toString() ?? '',
      title: relationship?.title ?? '',
    },
    external_id: person.external_id ?? '',
    metadata: metadataLines(person.metadata),
  }
}

const given = <K extends string>(name: K, text: string) => (text.trim() === '' ? {} : { [name]: text.trim() })

function relationshipOf({ primary, control, owner, percent_ownership, title }: RepresentativeValues['relationship']) {
  const percent = owner ? percentOf(percent_ownership) : undefined
  return { primary, control, owner, ...(percent === undefined ? {} : { percent_ownership: percent }), ...given('title', title) }
}

/** What create and update send alike. A reference that is left empty stays out, which leaves the old one in place. */
export const personInput = (values: RepresentativeValues) => ({
  first_name: values.first_name,
  last_name: values.last_name,
  dob: values.dob,
  ssn_last4: values.ssn_last4.trim(),
  email: values.email.trim(),
  mobile_number: values.mobile_number.replace(/[\s().-]/g, ''),
  relationship: relationshipOf(values.relationship),
  ...given('external_id', values.external_id),
})

const same = (left: Readonly<Record<string, string>>, right: Readonly<Record<string, string>>) =>
  JSON.stringify(Object.entries(left).sort()) === JSON.stringify(Object.entries(right).sort())

/** The metadata to send: none where it is as before, because it replaces the whole map. */
export function metadataInput(
  lines: readonly MetadataLine[],
  before: Readonly<Record<string, string>>,
): { metadata?: Record<string, string> } {
  const after = metadataOf(lines)
  return same(after, before) ? {} : { metadata: after }
}

/** Faults the schema cannot know: lines of metadata that are marked, a birth that is missing or to come. `today` is a calendar date. */
export function faultsOf({ metadata, dob }: RepresentativeValues, today: string): Record<string, string> {
  return {
    ...(metadata.some((line) => metadataFault(line, metadata)) ? { metadata: 'mend the lines that are marked' } : {}),
    ...(dob === '' ? { dob: 'give the date of birth' } : {}),
    ...(dob >= today ? { dob: 'must lie in the past' } : {}),
  }
}
