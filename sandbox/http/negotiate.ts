/** The media ranges of an Accept header that are wanted at all, in the order they were named. */
const rangesOf = (accept: string): string[] =>
  accept.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    return range === '' || parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [range]
  })

const covers = (range: string, type: string): boolean => range === '*/*' || range === type || range === `${type.split('/')[0]}/*`

/** The content type for an Accept header: the first that is offered where it is taken or nothing is, otherwise the first that was asked for. */
export function negotiate(offered: readonly [string, ...string[]], accept: string | undefined): string {
  const [usual] = offered
  const ranges = rangesOf(accept ?? '')
  if (ranges.some((range) => covers(range, usual))) return usual
  return ranges.flatMap((range) => offered.find((type) => covers(range, type)) ?? [])[0] ?? usual
}
