/** A bank account in a table. The last four digits tell accounts apart, so it is the bank's name that gives way. */
export function BankCell({ bank }: { bank: string | undefined }) {
  const [, name, tail] = /^(.*) - (\S+)$/.exec(bank ?? '') ?? []
  return (
    <span className="flex gap-1 text-ink-2">
      <bdi className="truncate">{name ?? bank ?? 'unknown'}</bdi>
      {tail && <bdi className="shrink-0">{tail}</bdi>}
    </span>
  )
}
