<#
━━━ PURPOSE ━━━
Collects name, BIOS, disks and last boot of the two Windows machines in the house
(desk and school laptop) into the same CSV that the Linux nodes use.

━━━ OPERATIONAL MODEL ━━━
Weekly
  A scheduled task runs it on Mondays at 19:00 and writes to \\wick\inventory.

━━━ DESIGN PRINCIPLES ━━━
Read Only
  It changes nothing and installs nothing; it must run on a school machine that
  somebody else administers.

━━━ OPERATIONAL SAFEGUARDS ━━━
No User Data
  Names of accounts and documents are never collected, only hardware and dates.

━━━ CONFIGURATION ━━━
-OutFile   target CSV (default: \\wick\inventory\windows.csv)

━━━ RUNTIME MODES ━━━
-WhatIf    print the row instead of appending it
#>
[CmdletBinding(SupportsShouldProcess)]
param(
    [string]$OutFile = '\\wick\inventory\windows.csv'
)

$system = Get-CimInstance -ClassName Win32_OperatingSystem
$bios = Get-CimInstance -ClassName Win32_BIOS
$disks = Get-PhysicalDisk | Select-Object -ExpandProperty FriendlyName

$row = [pscustomobject]@{
    Node     = $env:COMPUTERNAME
    Bios     = $bios.SMBIOSBIOSVersion
    LastBoot = $system.LastBootUpTime.ToString('yyyy-MM-dd')
    Disks    = $disks -join '; '
    FreeGB   = [math]::Round((Get-PSDrive C).Free / 1GB)
}

if ($PSCmdlet.ShouldProcess($OutFile, 'append')) {
    $row | Export-Csv -Path $OutFile -Append -NoTypeInformation -Encoding utf8
} else {
    $row | Format-List
}
