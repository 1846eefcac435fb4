extension RPCSpecification {
    /// The notifications: function name and id, then parameters.
    static let notifications = """
        OnHMIStatus 32768: hmiLevel! HMILevel, audioStreamingState! AudioStreamingState,
          systemContext! SystemContext, videoStreamingState VideoStreamingState, windowID I
        OnAppInterfaceUnregistered 32769: reason! AppInterfaceUnregisteredReason
        OnButtonEvent 32770: buttonName! ButtonName, buttonEventMode! ButtonEventMode,
          customButtonID I0:65536
        OnButtonPress 32771: buttonName! ButtonName, buttonPressMode! ButtonPressMode,
          customButtonID I0:65536
        OnVehicleData 32772: gps GPSData, speed F0:700, rpm I0:20000, fuelLevel F-6:106,
          fuelLevel_State ComponentVolumeStatus, instantFuelConsumption F0:25575,
          fuelRange [FuelRange]0:100, climateData ClimateData, externalTemperature F-40:100,
          turnSignal TurnSignal, vin S17, gearStatus GearStatus, prndl PRNDL,
          tirePressure TireStatus, odometer I0:17000000, beltStatus BeltStatus,
          bodyInformation BodyInformation, deviceStatus DeviceStatus,
          driverBraking VehicleDataEventStatus, wiperStatus WiperStatus,
          headLampStatus HeadLampStatus, engineTorque F-1000:2000, accPedalPosition F0:100,
          steeringWheelAngle F-2000:2000, engineOilLife F0:100,
          electronicParkBrakeStatus ElectronicParkBrakeStatus, cloudAppVehicleID S,
          stabilityControlsStatus StabilityControlsStatus, eCallInfo ECallInfo,
          airbagStatus AirbagStatus, emergencyEvent EmergencyEvent,
          clusterModeStatus ClusterModeStatus, myKey MyKey, windowStatus [WindowStatus]0:100,
          handsOffSteering B, seatOccupancy SeatOccupancy
        OnCommand 32773: cmdID! I0:2000000000, triggerSource! TriggerSource
        OnTBTClientState 32774: state! TBTState
        OnDriverDistraction 32775: state! DriverDistractionState, lockScreenDismissalEnabled B,
          lockScreenDismissalWarning S
        OnPermissionsChange 32776: permissionItem! [PermissionItem]0:500, requireEncryption B
        OnAudioPassThru 32777:
        OnLanguageChange 32778: language! Language, hmiDisplayLanguage! Language
        OnKeyboardInput 32779: event! KeyboardEvent, data S500
        OnTouchEvent 32780: type! TouchType, event! [TouchEvent]1:10
        OnSystemRequest 32781: requestType! RequestType, requestSubType S255, url S,
          timeout I0:2000000000, fileType FileType, offset I0:100000000000, length I0:100000000000
        OnHashChange 32782: hashID! S100
        OnInteriorVehicleData 32783: moduleData! ModuleData
        OnWayPointChange 32784: wayPoints! [LocationDetails]1:10
        OnRCStatus 32785: allowed B, allocatedModules! [ModuleData]0:100,
          freeModules! [ModuleData]0:100
        OnAppServiceData 32786: serviceData! AppServiceData
        OnSystemCapabilityUpdated 32787: systemCapability! SystemCapability
        OnSubtleAlertPressed 32788:
        OnUpdateFile 32789: fileName! S255
        OnUpdateSubMenu 32790: menuID! I0:2000000000, updateSubCells B
        OnAppCapabilityUpdated 32791: appCapability! AppCapability
        OnEncodedSyncPData 98304: data! [S1000000]1:100, URL S1000, Timeout I0:2000000000
        """
}
