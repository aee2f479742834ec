import { Notice } from '@/components/ui/notice'

const plain = (path: string) =>
  path
    .replace(/^business_profile\./, '')
    .replaceAll('_', ' ')
    .replaceAll('.', ', ')

/** Somebody else changed the account: what follows by itself, and what has to be looked at. */
export function ChangedMeanwhile({ conflicts }: { conflicts: readonly string[] | null }) {
  if (conflicts === null) return null
  return (
    <Notice tone="held" role="status" title="The account changed while this form was open">
      <p>Fields you did not touch now hold what the account holds. What you typed is as you typed it.</p>
      {conflicts.length > 0 && <p>Changed by both, yours would win: {conflicts.map(plain).join('; ')}.</p>}
    </Notice>
  )
}
