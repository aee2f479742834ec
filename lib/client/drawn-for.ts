import { currentPerson } from './query/client'

/** Says for whom the page was drawn: another tab may have signed somebody else in, and what is pressed here is not theirs. */
export function drawnFor(): Record<string, string> {
  const person = currentPerson()
  return person === null ? {} : { 'Drawn-For': person }
}
