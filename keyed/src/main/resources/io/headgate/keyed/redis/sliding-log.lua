-- A list: what is counted first, then an entry `time:permits` for each request, oldest first. An
-- entry that equals another is one more, so nothing in the same microsecond is lost. A decision
-- forgets 1000 entries at most, which bounds how long it holds up the server; should more be old,
-- the rest counts until the next decision. ARGV: the window.
local window = tonumber(ARGV[6])
local now = clock()
local used = 0
local dropped = 0 -- entries behind the head that go
local exists = false

local CHUNK, MOST = 100, 1000

-- Calls `f` with the time and permits of each entry that stays, until it answers true.
local function each_from(first, most, f)
  local at = first
  while at - first < most do
    local entries = redis.call('LRANGE', key, at, at + CHUNK - 1)
    for i, entry in ipairs(entries) do
      local e = numbers(entry)
      if f(e[1], e[2], at + i - 1) then
        return
      end
    end
    if #entries < CHUNK then
      return
    end
    at = at + CHUNK
  end
end

local s, left, of = read('l', now) -- limit, window, used, last
if #s > 0 then
  exists = true
  now = math.max(now, s[4])
  used = s[3]
  each_from(1, MOST, function(time, permits)
    if time > now - window then
      return true
    end
    used = used - permits
    dropped = dropped + 1
  end)
  changed = s[1] ~= limit or s[2] ~= window
  if changed then
    local wanted = limit - inherited(math.max(0, s[1] - used), s[1])
    each_from(1 + dropped, 1e9, function(time, permits, at)
      if used <= wanted then
        return true
      elseif used - permits >= wanted then
        used = used - permits
        dropped = dropped + 1
      else
        redis.call('LSET', key, at, text(time, permits - (used - wanted)))
        used = wanted
      end
    end)
    if used < wanted then
      redis.call('RPUSH', key, text(now, wanted - used))
      used = wanted
    end
  end
elseif left then
  exists = true
  used = limit - inherited(left, of)
  redis.call('RPUSH', key, '')
  if used > 0 then
    redis.call('RPUSH', key, text(now, used))
  end
end

local allowed = used + need <= limit
local wait = 0
if restore then
  local rest = math.min(cost, used)
  used = used - rest
  while rest > 0 do
    local e = numbers(redis.call('LINDEX', key, -1))
    if e[2] <= rest then
      redis.call('RPOP', key)
    else
      redis.call('LSET', key, -1, text(e[1], e[2] - rest))
    end
    rest = rest - math.min(rest, e[2])
  end
elseif refund then
  if exists and redis.call('LREM', key, -1, text(stamp, cost)) == 1 then
    used = used - cost
  end
elseif not allowed then
  local missing = used + need - limit
  each_from(1 + dropped, 1e9, function(time, permits)
    missing = missing - permits
    wait = time + window - now
    return missing <= 0
  end)
elseif cost > 0 then
  if not exists then
    redis.call('RPUSH', key, '')
    exists = true
  end
  redis.call('RPUSH', key, text(now, cost))
  used = used + cost
end

local reset = 0
if used > 0 then
  reset = numbers(redis.call('LINDEX', key, -1))[1] + window - now
end
if exists and (refund or changed or dropped > 0 or (allowed and cost > 0)) then
  -- The last entry that goes makes room for the new head.
  if dropped > 0 then
    redis.call('LTRIM', key, dropped, -1)
  end
  redis.call('LSET', key, 0, 'l:' .. text(limit, window, used, now))
  if not refund or changed then
    redis.call('PEXPIRE', key, ttl(reset))
  end
end
return {allowed and 1 or 0, limit - used, wait, reset, now, existed and 1 or 0}
