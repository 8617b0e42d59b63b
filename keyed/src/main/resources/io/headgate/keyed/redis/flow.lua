-- A constant flow of permits: a debt that grows by `size` a permit and shrinks by `rate` a
-- microsecond. ARGV: size, rate, and the permits of a new key.
local size, rate, initial = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local full = limit * size
local now = clock()
local debt = (limit - initial) * size

local s, left, of = read('f', now) -- limit, size, rate, debt, last
if #s > 0 then
  now = math.max(now, s[5])
  debt = math.max(0, s[4] - (now - s[5]) * s[3])
  changed = s[1] ~= limit or s[2] ~= size or s[3] ~= rate
  if changed then
    debt = (limit - inherited(math.floor((s[1] * s[2] - debt) / s[2]), s[1])) * size
  end
elseif left then
  debt = (limit - inherited(left, of)) * size
end

local allowed = debt + need * size <= full
local wait = 0
if refund then
  debt = math.max(0, debt - cost * size)
elseif not allowed then
  wait = ceil_div(debt + need * size - full, rate)
elseif cost > 0 then
  debt = debt + cost * size
end

local reset = ceil_div(debt, rate)
if changed or (refund and existed) or (not refund and allowed and cost > 0) then
  write('f', reset, limit, size, rate, debt, now)
end
return {allowed and 1 or 0, math.floor((full - debt) / size), wait, reset, now, existed and 1 or 0}
