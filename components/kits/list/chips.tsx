import { ExternalText } from '@/components/kits/layout/outside-text'
import { FilterChips } from './filters/filters'
import type { ListSpec, ListViewState } from './spec'

/** Sentences about parameters of the URL that the list does not follow. */
function IgnoredParameters({ view }: { view: ListViewState }) {
  if (view.ignored.length === 0) return null
  return (
    <div
      role="status"
      aria-label="Ignored in the URL"
      className="px-4 pb-1 text-held text-xs lg:px-6"
    >
      {view.ignored.map((text) => (
        <p key={text}>
          <ExternalText>{text}</ExternalText>
        </p>
      ))}
    </div>
  )
}

/** The line below the bar of a list: parameters that it ignores, and its active filters. */
export const ListChips = ({ spec, view }: { spec: ListSpec; view: ListViewState }) => (
  <>
    <IgnoredParameters view={view} />
    <FilterChips spec={spec} view={view} />
  </>
)
