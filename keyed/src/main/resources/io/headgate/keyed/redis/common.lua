-- What every algorithm begins with. Times are whole microseconds of the server's clock, and every
-- number stays below 2^53, where Lua's are exact.
--
-- KEYS[1]  the one key that holds the state
-- ARGV[1]  'take' or 'refund'
-- ARGV[2]  permits; 0 asks whether one is there
-- ARGV[3]  what a live key keeps when its limit has changed
-- ARGV[4]  for a refund: the stamp with which the permits were taken
-- ARGV[5]  the limit; what follows is the algorithm's own
--
-- Answers {allowed, remaining, wait, reset, stamp}.
local key = KEYS[1]
local refund = ARGV[1] == 'refund'
local cost = tonumber(ARGV[2])
local need = math.max(cost, 1)
local inheritance = ARGV[3]
local stamp = tonumber(ARGV[4])
local limit = tonumber(ARGV[5])

-- The permits left under this limit, of those left under another.
local function inherited(left, old)
  if inheritance == 'RESET' then
    return limit
  elseif inheritance == 'PROPORTIONAL' then
    return math.min(limit, math.floor(left * limit / old))
  elseif inheritance == 'ADDITIVE' then
    return math.min(limit, left + math.max(0, limit - old))
  end
  return math.min(limit, left)
end

-- The quotient rounded up, whatever the rounding of the division.
local function ceil_div(a, b)
  local q = math.floor(a / b)
  if q * b < a then
    return q + 1
  elseif (q - 1) * b >= a then
    return q - 1
  end
  return q
end

-- Numbers as text: tostring would round them to 14 digits.
local function text(...)
  local parts = {}
  for i, number in ipairs({...}) do
    parts[i] = string.format('%.0f', number)
  end
  return table.concat(parts, ':')
end

local function numbers(state)
  local parts = {}
  for number in string.gmatch(state or '', '%d+') do
    parts[#parts + 1] = tonumber(number)
  end
  return parts
end

-- How long a state is worth keeping, in ms: until everything is back and a second more.
local function ttl(reset)
  return string.format('%.0f', ceil_div(math.max(0, reset), 1000) + 1000)
end
