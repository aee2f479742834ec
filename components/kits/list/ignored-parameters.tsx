import { ExternalText } from '@/components/kits/layout/outside-text'
import type { ListViewState } from './spec'

/** Sentences about parameters of the URL that the list does not follow. */
export function IgnoredParameters({ view }: { view: ListViewState }) {
  if (view.ignored.length === 0) return null
  return (
    <ul
      role="status"
      aria-label="Ignored in the URL"
      className="px-4 pb-1 text-held text-xs lg:px-6"
    >
      {view.ignored.map((text) => (
        <li key={text}>
          <ExternalText>{text}</ExternalText>
        </li>
      ))}
    </ul>
  )
}
